export type GoogleSettings = {
  /** Where Google's services are; tests have their own. */
  sheets: string
  drive: string
  docs: string
  /** Instead of the one in the key file. */
  token?: string
  /** Whether a download may go on at the address that Google names. */
  mayFollow(url: URL): boolean
  /** The folder of a shared drive in which sheets are made. */
  folder?: string
  /** The most bytes that are read of a sheet. */
  limitBytes: number
  rowLimit: number
  /** How much is written in one request: Google recommends two megabytes. */
  batchBytes: number
  /** How many cells are read in one request. */
  batchCells: number
  /** Before the second try; doubled for each further one. */
  firstWaitMs: number
  /** A call reads and then writes a sheet within its 120 seconds. */
  readMs: number
  createMs: number
}

export const GOOGLE: GoogleSettings = {
  sheets: 'https://sheets.googleapis.com',
  drive: 'https://www.googleapis.com/drive',
  docs: 'https://docs.google.com',
  mayFollow: isExportHost,
  limitBytes: 536_870_912,
  rowLimit: 1_000_000,
  batchBytes: 2_000_000,
  batchCells: 250_000,
  firstWaitMs: 2000,
  readMs: 40_000,
  createMs: 65_000,
}

/** Names only, so no private address can be meant: Google's certificate would be missing there. */
export function isExportHost(url: URL) {
  const known = url.hostname === 'docs.google.com' || url.hostname.endsWith('.googleusercontent.com')
  return known && url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
}
