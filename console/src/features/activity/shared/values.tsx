import { useQueries, useQuery } from '@tanstack/react-query'
import type { AuditEntity } from '@watchdesk/contract/activity'
import { parseJson } from '@watchdesk/contract/json'
import type { ReactNode } from 'react'
import { formatMoment } from '../../../ui/display/format.ts'
import type { NameOf } from '../../../ui/display/plain-value.ts'
import { currentUserQuery, seesEverything } from '../../auth/queries.ts'
import { dashboardsQuery } from '../../dashboards/queries.ts'
import { SheetLink } from '../../sheets/shared/sheet-link.tsx'
import { workspaceQuery } from '../../workspaces/queries.ts'
import classes from './changes.module.css'
import { showValue } from './labels.ts'
import type { ChangedRow } from './rows.ts'
import { compareLists, compareTexts, type Piece } from './words.ts'

/** Finds the names of the workspaces and dashboards in the rows. Without one, their ids are shown. */
export function useNames(rows: ChangedRow[]): NameOf {
  const { data: me } = useQuery(currentUserQuery)
  const values = (path: string) =>
    rows.filter((row) => row.path === path).flatMap(({ before, after }) => [before, after])
  const workspaceIds = [...new Set(values('workspace_id').filter((id) => typeof id === 'number'))]
  const workspaces = useQueries({
    // A deleted workspace is not found; asking again would not help.
    queries: workspaceIds.map((id) => ({ ...workspaceQuery(id), staleTime: 60_000, retry: false })),
  })
  const hasDashboards = seesEverything(me) && values('powerbi_dashboards').length > 0
  const { data: dashboards } = useQuery({ ...dashboardsQuery, enabled: hasDashboards })
  return (path, value) => {
    if (path === 'workspace_id') return workspaces.find(({ data }) => data?.id === value)?.data?.name
    if (path === 'powerbi_dashboards') return dashboards?.find(({ id }) => id === value)?.name
  }
}

/** Both values of a row, with what changed marked. */
export function cellsOf(entity: AuditEntity, row: ChangedRow, nameOf: NameOf): { before: ReactNode; after: ReactNode } {
  const { path, before, after } = row
  const lists = [entriesOf(entity, row, before, nameOf), entriesOf(entity, row, after, nameOf)] as const
  if (lists[0].length + lists[1].length > 0) {
    const compared = compareLists(...lists)
    return { before: <List pieces={compared.before} tag="del" />, after: <List pieces={compared.after} tag="ins" /> }
  }
  if (isText(before) && isText(after)) {
    const { before: old, after: now } = compareTexts(before, after)
    return { before: <Text pieces={old} tag="del" />, after: <Text pieces={now} tag="ins" /> }
  }
  const show = (value: unknown) => showOne(entity, path, value, nameOf)
  return { before: show(before), after: show(after) }
}

/** Texts are compared; single words and enum values are short enough to read both. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && /\s/.test(value.trim())
}

function showOne(entity: AuditEntity, path: string, value: unknown, nameOf: NameOf): ReactNode {
  if (typeof value === 'string' && value !== '') {
    if (path === 'created_sheet_url' || path === 'sheet_url') return <SheetLink sheet={value} />
    if (path.startsWith('sources_sheet_')) return <SheetLink sheet={value}>{value}</SheetLink>
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/.test(value)) return formatMoment(value)
  }
  return showValue(entity, path, value, nameOf)
}

/** The entries of a list as texts; empty for any other value. */
function entriesOf(entity: AuditEntity, { path }: ChangedRow, value: unknown, nameOf: NameOf): string[] {
  const isJson = path === 'default_case_types' && typeof value === 'string'
  const list: unknown = isJson ? parseJson(value) : value
  return Array.isArray(list) ? list.map((entry) => showValue(entity, path, [entry], nameOf)) : []
}

type Marked = { pieces: Piece[]; tag: 'del' | 'ins' }

function Text({ pieces, tag: Tag }: Marked) {
  if (pieces.length === 0) return '–'
  return (
    <span className={classes.text}>
      {pieces.map(({ text, isChanged }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity, and never change
        isChanged ? <Tag key={index}>{text}</Tag> : <span key={index}>{text}</span>,
      )}
    </span>
  )
}

/** Long lists show only what changed. */
const MOST_UNCHANGED = 20

function List({ pieces, tag: Tag }: Marked) {
  if (pieces.length === 0) return '–'
  const unchanged = pieces.filter(({ isChanged }) => !isChanged)
  const isCut = unchanged.length > MOST_UNCHANGED
  const shown = isCut ? pieces.filter(({ isChanged }) => isChanged) : pieces
  return (
    <ul className={classes.list}>
      {shown.map(({ text, isChanged }) => (
        <li key={text}>{isChanged ? <Tag>{text}</Tag> : text}</li>
      ))}
      {isCut && <li className={classes.soft}>and {unchanged.length} unchanged</li>}
    </ul>
  )
}
