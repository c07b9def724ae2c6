import { MAX_ID } from '@watchdesk/contract/limits'

/** Whether a record can have this id, which comes from the address. */
export function isRecordId(id: string) {
  return /^[1-9]\d*$/.test(id) && Number(id) <= MAX_ID
}
