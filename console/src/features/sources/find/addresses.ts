import { LENGTH } from '@watchdesk/contract/limits'

/** Longer ones are no address, and the server does not accept them. */
const LONGEST = LENGTH.link * 2

/** The addresses in a text: one per line, or separated by commas, semicolons or tabs. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[\n\r,;\t]+/)
    .map((part) => part.replace(/^[\s"']+|[\s"']+$/g, '').slice(0, LONGEST))
    .filter((part) => part !== '')
}
