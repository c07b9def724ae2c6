import type { Page } from '@playwright/test'
import type { Operation, UndoPreview } from '@watchdesk/contract/operations/operations'
import * as schema from '@watchdesk/contract/operations/operations.schema'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { expect } from './test.ts'
import { type Api, unique } from './workspaces-page.ts'

type SourceRow = { source_url: string; source_country?: string }

/** Imports the rows as those of a file with a unique name. */
export async function importFile(api: Api, sheet_records: SourceRow[]) {
  const name = `${unique('sources')}.csv`
  const { email } = await api<{ email: string }>('GET', 'users/me')
  const body = { email, sheet_url: null, sheet_records }
  const key = unique('key_of_an_import')
  await api('POST', 'source_import/file', { key, name, bytes: 2048 })
  const headers = { 'idempotency-key': key }
  const result = await api<SourceImportResult>('POST', 'source_import/sources', body, headers)
  expect(result.error_message).toBeNull()
  const id = Number(result.import_id)
  return { id, name, path: `/imports/${id}`, result }
}

/** Addresses that no other test of the worker uses. */
export function newSources(count: number): SourceRow[] {
  const word = unique('channel')
  return Array.from({ length: count }, (_, index) => ({
    source_url: `https://t.me/${word}_${index}`,
    source_country: 'UA',
  }))
}

/** An import that is done, as the server sends it. */
export function anImport(fields: Partial<Operation> = {}): Operation {
  return {
    id: 7,
    kind: 'source_import',
    name: 'large.csv',
    state: 'done',
    bytes: 20_480_000,
    platform: null,
    sheet_url: null,
    created_sheet_url: null,
    counts: {},
    rows_count: null,
    skipped_count: 0,
    verification: null,
    error: null,
    summary: null,
    created_at: '2026-11-17T01:00:00.000Z',
    created_by: { id: 7, name: 'Olena Kovalenko' },
    started_at: '2026-11-17T01:00:00.000Z',
    finished_at: '2026-11-17T01:00:09.000Z',
    undoes: null,
    is_redo: false,
    origin_kind: 'source_import',
    undone: null,
    undoing: null,
    can_undo: false,
    job_id: null,
    progress: null,
    ...fields,
  }
}

const NO_EFFECTS = Object.keys(schema.UndoPreview.shape.effects.shape).map((effect) => [effect, 0])

/** An undo that only does this. */
export function aPreview(effects: Partial<UndoPreview['effects']>): UndoPreview {
  return {
    effects: { ...Object.fromEntries(NO_EFFECTS), ...effects },
    changed_count: 0,
    changed: [],
    gone_count: 0,
    problem: null,
  }
}

type Found = { outcome: string; source: { country: string | null } | null }

/** The countries of the sources that are monitored. */
export async function monitored(api: Api, rows: SourceRow[]) {
  const addresses = rows.map(({ source_url }) => source_url)
  const { objects } = await api<{ objects: Found[] }>('POST', 'sources/find', { addresses })
  return objects.filter(({ outcome }) => outcome === 'monitored').map(({ source }) => source?.country)
}

export const result = (page: Page) => page.getByRole('region', { name: 'Result' })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')
/** The message before it may still be leaving. */
export const toast = (page: Page) => page.locator('[data-kind=success]:not([data-leaving])')
export const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filter by outcome' }).getByRole('button', { name })
/** The row of an import in the list. */
export const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
