import { isSpreadsheet } from '@watchdesk/contract/source-import'
import { SheetError } from './sheets.ts'

export type GoogleAddress = {
  id: string
  /** The tab. Undefined is the first one. */
  gid: string | undefined
  /** Published to the web: it has a different id and can only be read as a CSV export. */
  published: boolean
}

const ID = /^[\w-]{20,100}$/
const PATH = /^\/spreadsheets\/(?:u\/\d{1,3}\/)?d\/(e\/)?([\w-]{20,200})(?:\/|$)/

/** Takes the ids from what a user entered. Nothing else of it is ever used in a request. */
export function parseAddress(typed: string): GoogleAddress | undefined {
  const text = typed.trim()
  if (ID.test(text)) return { id: text, gid: undefined, published: false }
  if (!isSpreadsheet(text)) return
  const url = new URL(text)
  const [, published, id] = PATH.exec(url.pathname) ?? []
  if (id === undefined) return
  return { id, gid: tabOf(url), published: published !== undefined }
}

export function requireAddress(reference: string): GoogleAddress {
  const address = parseAddress(reference)
  if (address) return address
  throw new SheetError(
    `${reference.trim()} is not the complete address of a sheet. Open the sheet in your browser and copy its full address.`,
  )
}

/** The browser shows the tab in the part after #. */
function tabOf(url: URL) {
  const gid = new URLSearchParams(url.hash.slice(1)).get('gid') ?? url.searchParams.get('gid')
  return gid !== null && /^\d{1,10}$/.test(gid) ? gid : undefined
}

export function addressOf({ id, gid, published }: GoogleAddress) {
  const tab = gid === undefined ? '' : `#gid=${gid}`
  return published
    ? `https://docs.google.com/spreadsheets/d/e/${id}/pubhtml${tab}`
    : `https://docs.google.com/spreadsheets/d/${id}/edit${tab}`
}
