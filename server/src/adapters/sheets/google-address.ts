import { type GoogleAddress, parseGoogleAddress } from '@watchdesk/contract/sheet-address'
import { SheetError } from './sheets.ts'

export function requireAddress(reference: string): GoogleAddress {
  const address = parseGoogleAddress(reference)
  if (address) return address
  throw new SheetError(
    `${reference.trim()} is not the complete URL of a sheet. Open the sheet in your browser and copy its URL.`,
  )
}

export function addressOf({ id, gid, published }: GoogleAddress) {
  const tab = gid === undefined ? '' : `#gid=${gid}`
  return published
    ? `https://docs.google.com/spreadsheets/d/e/${id}/pubhtml${tab}`
    : `https://docs.google.com/spreadsheets/d/${id}/edit${tab}`
}
