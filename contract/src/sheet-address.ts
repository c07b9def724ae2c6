import { isSpreadsheet } from './source-import.ts'

export type GoogleAddress = {
  id: string
  /** The tab. Undefined is the first one. */
  gid: string | undefined
  /** Published to the web: it has a different id and can only be read as a CSV export. */
  published: boolean
}

const GOOGLE_ID = /^[\w-]{20,100}$/
const GOOGLE_PATH = /^\/spreadsheets\/(?:u\/\d{1,3}\/)?d\/(e\/)?([\w-]{20,200})(?:\/|$)/
/** Our own sheets: a number, or the address of a page with or without its host. */
const OWN_SHEET = /^(?:(?:https?:\/\/\S+)?\/sheets\/)?0*[1-9]\d{0,8}\/?$/

/** Takes the ids from what a user entered. Nothing else of it is ever used in a request. */
export function parseGoogleAddress(typed: string): GoogleAddress | undefined {
  const text = typed.trim()
  if (GOOGLE_ID.test(text)) return { id: text, gid: undefined, published: false }
  if (!isSpreadsheet(text)) return
  const url = new URL(text)
  const [, published, id] = GOOGLE_PATH.exec(url.pathname) ?? []
  if (id === undefined) return
  return { id, gid: tabOf(url), published: published !== undefined }
}

/** The browser shows the tab in the part after #. */
function tabOf(url: URL) {
  const gid = new URLSearchParams(url.hash.slice(1)).get('gid') ?? url.searchParams.get('gid')
  return gid !== null && /^\d{1,10}$/.test(gid) ? gid : undefined
}

export function isSheetReference(typed: string) {
  return OWN_SHEET.test(typed.trim()) || parseGoogleAddress(typed) !== undefined
}
