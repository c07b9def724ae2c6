import type { GoogleAddress } from '@watchdesk/contract/sheet-address'

export function addressOf({ id, gid, published }: GoogleAddress) {
  const tab = gid === undefined ? '' : `#gid=${gid}`
  return published
    ? `https://docs.google.com/spreadsheets/d/e/${id}/pubhtml${tab}`
    : `https://docs.google.com/spreadsheets/d/${id}/edit${tab}`
}
