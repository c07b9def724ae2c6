import type { Operation } from '@watchdesk/contract/operations/operations'
import { KINDS } from './kinds.ts'

/** Why a row was imported or not, and what to do about it. */
const REASONS: Record<string, string> = {
  requested: 'The source was added.',
  added: 'The source was added.',
  updated: 'The source got this country.',
  unchanged: 'The source was already like this.',
  imported: 'The story was imported.',
  'already there': 'The narrative already has this story.',
  'already monitored': 'The source was there already. Nothing was changed.',
  'repeated in the file': 'The same address is in a row above.',
  'repeated in the sheet': 'The same address is in a row above.',
  'unsupported platform': 'Sources of this platform cannot be imported here.',
  'URL of another platform': 'The address is of another platform than the sheet.',
  'invalid URL': 'This is not the address of a source. Write it like https://t.me/name.',
  invalid: 'A cell is missing or too long. Compare the row with the columns of the file.',
  'invalid email': 'The email is missing or not an email address.',
  'invalid name': 'First and last name are required, and limited in length.',
  'invalid value': 'The type, the language or the workspace admin has an unknown value.',
  'invalid password': 'The password is missing or too weak.',
  'unknown country': 'The country is not known. Write its name or two-letter code.',
}

export function reasonOf(outcome: string, kind: Operation['kind']) {
  const reasons = { ...REASONS, ...KINDS[kind].reasons }
  return Object.hasOwn(reasons, outcome) ? (reasons[outcome] ?? '') : ''
}
