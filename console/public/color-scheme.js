// Runs before the first paint, so that a dark page never flashes white. A file of its own: the server's policy allows
// no inline script. Reads what the console's color scheme manager writes (src/app/theme.ts).
;(() => {
  let scheme = null
  try {
    scheme = localStorage.getItem('watchdesk-color-scheme')
  } catch {
    // Storage may be blocked; the system's choice still holds.
  }
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
