import { USER_SETTINGS } from '@watchdesk/contract/user-row'
import { useMemo } from 'react'
import { labelOf } from '../users/shared/labels.ts'
import { outcomeText } from './outcome-text.ts'
import { RowList } from './row-list.tsx'
import type { PreviewRow } from './use-checked.ts'

const HEADER = ['row', 'email', 'first name', 'last name', 'reason', 'outcome']

/** The rows of the text, with what would become of each. */
export function Preview({ rows }: { rows: PreviewRow[] }) {
  const cells = useMemo(() => rows.map(cellsOf), [rows])
  return <RowList title="People to add" header={HEADER} rows={cells} />
}

function cellsOf({ row, person, reason, outcome, ...others }: PreviewRow) {
  const isReady = outcome === 'added'
  const notes = isReady ? notesOn(person.isNameFromEmail, others) : reason
  return [
    String(row),
    person.email,
    person.first_name,
    person.last_name,
    notes ?? '',
    isReady ? 'ready' : outcomeText(outcome),
  ]
}

/** What the reader did not write, or wrote for this row only. */
function notesOn(isNameFromEmail: boolean, { written, settings }: Pick<PreviewRow, 'written' | 'settings'>) {
  return [
    isNameFromEmail && 'The name is taken from the email.',
    ...USER_SETTINGS.map((field) => written[field] && noteOf(field, settings[field])),
  ]
    .filter(Boolean)
    .join(' · ')
}

function noteOf(field: string, value: string | boolean) {
  if (typeof value === 'string') return value || 'Auto'
  return value && labelOf(field)
}
