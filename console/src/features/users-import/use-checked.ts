import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UserSettings } from '@watchdesk/contract/user-row'
import type { CheckedUser } from '@watchdesk/contract/user-row.schema'
import type { FoundUser } from '@watchdesk/contract/users-import'
import { useMemo } from 'react'
import { foundQuery, rulesQuery } from './queries.ts'
import { rowsOfText, type WrittenRow } from './rows.ts'
import { tooMany } from './use-file.ts'

const DEBOUNCE_MS = 250

export type PreviewRow = WrittenRow &
  Pick<CheckedUser, 'person' | 'settings' | 'reason'> & { outcome: CheckedUser['outcome'] | 'email already exists' }

/** The rows of the text with their outcomes, while it is written. */
export function useChecked(text: string, settings: UserSettings) {
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const { data: rules } = useQuery({ ...rulesQuery, enabled: text.trim() !== '' })
  const written = useMemo(() => rowsOfText(settled), [settled])
  const checked = useMemo(() => {
    const check = rules?.userChecker(settings)
    return check && written.rows.map((row): PreviewRow => ({ ...row, ...check(row.written, row.row) }))
  }, [rules, written, settings])
  const emails = useMemo(() => (checked ?? []).filter(isReady).map(({ person }) => person.email), [checked])
  const { data: found, isFetching } = useQuery({
    ...foundQuery(emails),
    enabled: emails.length > 0,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => withFound(checked ?? [], found?.objects ?? []), [checked, found])
  return {
    rows,
    problem: written.problem ?? tooMany(written.total),
    ignored: written.ignored,
    /** Whether the outcomes are not those of the text yet. */
    isChecking: settled !== text || !rules || isFetching,
  }
}

export function isReady({ outcome }: Pick<PreviewRow, 'outcome'>) {
  return outcome === 'added'
}

function withFound(rows: PreviewRow[], found: FoundUser[]) {
  const known = new Map(found.map((user) => [user.email.toLowerCase(), user]))
  return rows.map((row): PreviewRow => {
    const user = isReady(row) ? known.get(row.person.email.toLowerCase()) : undefined
    if (!user) return row
    return { ...row, outcome: 'email already exists', reason: `${user.name} in ${user.workspace.name} has this email.` }
  })
}
