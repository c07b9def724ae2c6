/** The link when a browser may follow it: other schemes (`javascript:`, say) are text, whoever stored them. */
export function webLink(text: string): string | undefined {
  if (!URL.canParse(text)) return
  const { protocol, href } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** Why a browser shows the link in no frame of the page at `page`, as far as one knows without asking the site. */
export function unframeable(link: string, page: string): string | undefined {
  const { origin, protocol, hostname } = new URL(link)
  if (origin === new URL(page).origin) return 'This console may not be shown inside itself.'
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && page.startsWith('https:') && !isLocal)
    return 'A page that came over https shows no frame that comes over http.'
}
