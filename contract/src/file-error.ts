import { SOURCE_IMPORT_MESSAGES } from './source-import.ts'

/** Why a file cannot be read, as shown to the user; `reason` adds details. */
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
