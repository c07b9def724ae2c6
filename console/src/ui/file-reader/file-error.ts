import { MAX_ROWS } from '@watchdesk/contract/limits'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'

/** Why a file gives no records, in the words of the screen; `reason` is what more is known about it. */
export class FileError extends Error {
  override name = 'FileError'
  readonly reason: string | undefined

  constructor(message: string, reason?: string) {
    super(message)
    this.reason = reason
  }
}

export function invalidFile(reason?: string) {
  return new FileError(SOURCE_IMPORT_MESSAGES.reading_failed, reason)
}

export function tooManyRows() {
  return invalidFile(`It has more than ${MAX_ROWS.toLocaleString('en')} rows.`)
}
