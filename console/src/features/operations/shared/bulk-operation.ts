import { DAYS_IN_BIN } from '@watchdesk/contract/limits'
import type { ReactNode } from 'react'
import type { Wanted } from './change-queries.ts'

export const UNDO_NOTE = 'You can undo this.'
export const DELETE_NOTE = `You can undo the whole deletion for ${DAYS_IN_BIN} days, from the message that follows or from Imports.`

export type FieldsProps<Values> = {
  values: Values
  onChange(values: Values): void
  /** What is missing or wrong. */
  problem: string | undefined
}

/**
 * What can be done with many records, and what its dialog says and asks for. Written as methods, so that a list can have
 * operations with different values.
 */
export type BulkOperation<Change, Values = undefined> = {
  /** In the bar. */
  label: string
  /** 'Move users'. */
  title: string
  initial: Values
  /** What is chosen before the preview. Without it, the dialog starts with the preview. */
  Fields?(props: FieldsProps<Values>): ReactNode
  /** Why there is nothing to preview yet. */
  problemOf?(values: Values): string | undefined
  wanted(values: Values): Wanted<Change>
  /** What will happen, without its subject: '28 users' 'will move to Atlas Media'. `fields` are those that change. */
  will(values: Values, count: number, fields: string[]): ReactNode
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

/** All of a kind of records, in the order of the bar. */
export type BulkOperations<Change> = BulkOperation<Change, unknown>[]
