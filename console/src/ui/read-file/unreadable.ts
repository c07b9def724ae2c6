import { MAX_ROWS } from '@watchdesk/contract/limits'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'

/** Why a file gives no records, in the words of the screen; `reason` is what more is known about it. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly reason: string | undefined

  constructor(message: string, reason?: string) {
    super(message)
    this.reason = reason
  }
}

export function readingFailed(reason?: string) {
  return new Unreadable(SOURCE_IMPORT_MESSAGES.reading_failed, reason)
}

export function tooManyRows() {
  return readingFailed(`It has more than ${MAX_ROWS.toLocaleString('en')} rows.`)
}
