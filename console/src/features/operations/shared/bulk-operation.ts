import { DAYS_IN_BIN } from '@watchdesk/contract/limits'
import type { ComponentType, ReactNode } from 'react'
import type { Wanted } from './change-queries.ts'

export const UNDO_NOTE = 'You can undo this.'
export const DELETE_NOTE = `You can undo the whole deletion for ${DAYS_IN_BIN} days, from the message that follows or from Imports.`

export type FieldsProps<Values> = {
  values: Values
  onChange: (values: Values) => void
  /** What is missing or wrong. */
  problem: string | undefined
}

/** What can be done with many records, and what its dialog says and asks for. */
export type BulkOperation<Change, Values = undefined> = {
  /** 'Move users'. */
  title: string
  initial: Values
  /** What is chosen before the preview. Without it, the dialog starts with the preview. */
  Fields?: ComponentType<FieldsProps<Values>>
  /** Why there is nothing to preview yet. */
  problemOf?: (values: Values) => string | undefined
  wanted: (values: Values) => Wanted<Change>
  /** What will happen, without its subject: '28 users' 'will move to Atlas Media'. `fields` are those that change. */
  will: (values: Values, count: number, fields: string[]) => ReactNode
  /** Why nothing would change, if that can be said better. */
  nothing?: string
  /** What the others are that do not change, if not 'already like this'. */
  unchanged?: string
  /** 'Move', for 'Move 28 users'. */
  verb: string
  /** What else to know. */
  note?: ReactNode
  isDanger?: boolean
}
