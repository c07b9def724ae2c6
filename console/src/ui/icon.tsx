/** Our outline icons: 24 by 24, stroke 1.7, in the colour of the text. */
const PATHS = {
  'chevron-down': 'm6 9 6 6 6-6',
  eye: 'M2.5 12c2.4-4.3 5.6-6.5 9.5-6.5s7.1 2.2 9.5 6.5c-2.4 4.3-5.6 6.5-9.5 6.5S4.9 16.3 2.5 12Zm9.5 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  'eye-off':
    'M9.9 5.7A9.6 9.6 0 0 1 12 5.5c3.9 0 7.1 2.2 9.5 6.5a17 17 0 0 1-2.3 3.2M6.5 7.3A14.5 14.5 0 0 0 2.5 12c2.4 4.3 5.6 6.5 9.5 6.5a9.3 9.3 0 0 0 4.7-1.3M9.9 9.9a3 3 0 0 0 4.2 4.2M4 4l16 16',
  'log-out': 'M10 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h4M15.5 16l4-4-4-4M19.5 12H10',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
