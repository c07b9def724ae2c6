/** The same drawing as public/favicon.svg. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-petrol-7)" />
      <path
        d="M5 16c2.6-4.7 6.4-7 11-7s8.4 2.3 11 7c-2.6 4.7-6.4 7-11 7S7.6 20.7 5 16Z"
        fill="none"
        stroke="#fff"
        strokeWidth="2.4"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="16" r="3.6" fill="#fff" />
    </svg>
  )
}
