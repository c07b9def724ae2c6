/** The link when a browser may follow it: other schemes (`javascript:`, say) are text, whoever stored them. */
export function webLink(text: string): string | undefined {
  if (!URL.canParse(text)) return
  const { protocol, href } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}
