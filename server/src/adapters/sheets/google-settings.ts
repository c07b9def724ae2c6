export type GoogleSettings = typeof GOOGLE & {
  /** The folder on a shared drive in which sheets are created. */
  folder?: string | undefined
  /** Overrides the token address in the key file. */
  token?: string
}

export const GOOGLE = {
  /** The addresses of Google's services; tests have their own. */
  sheets: 'https://sheets.googleapis.com',
  drive: 'https://www.googleapis.com/drive',
  docs: 'https://docs.google.com',
  isAllowedRedirect: isExportHost,
  limitBytes: 536_870_912,
  rowLimit: 1_000_000,
  /** Google recommends two megabytes for a write request. */
  batchBytes: 2_000_000,
  /** Of a read request. */
  batchCells: 250_000,
  firstDelayMs: 2000,
  /** A call reads and then writes a sheet within its 120 seconds. */
  readMs: 40_000,
  createMs: 65_000,
}

/** Host names and https only: a private address cannot have Google's certificate. */
export function isExportHost(url: URL) {
  const known = url.hostname === 'docs.google.com' || url.hostname.endsWith('.googleusercontent.com')
  return known && url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
}
