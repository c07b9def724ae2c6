/** Why a browser will not show the link in a frame of `page`, as far as the two addresses show. */
export function unframeable(link: string, page: string): string | undefined {
  const { origin, protocol, hostname } = new URL(link)
  if (origin === new URL(page).origin) return 'The console cannot be embedded in itself.'
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && page.startsWith('https:') && !isLocal)
    return 'This console uses https, so it cannot embed a page that uses http.'
}
