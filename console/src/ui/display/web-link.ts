/** The link if it is safe to follow: other schemes, such as `javascript:`, are shown as text. */
export function webLink(text: string): string | undefined {
  if (!URL.canParse(text)) return
  const { protocol, href } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}
