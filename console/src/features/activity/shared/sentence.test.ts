import type { AuditEvent } from '@watchdesk/contract/activity'
import { describe, expect, test } from 'vitest'
import { textOf } from './sentence.ts'

const live = (name: string) => ({ name, detail: null, state: 'live', current_name: null }) as const
const ATLAS = live('Atlas Media')
const OLENA = { ...live('Olena Koval'), detail: 'olena@example.com' } as const
const CHANNEL = live('https://t.me/example')

type Given = Pick<AuditEvent, 'action' | 'entity'> & Partial<AuditEvent>

function text({ changes = {}, ...given }: Omit<Given, 'changes'> & { changes?: Record<string, unknown> }) {
  const pairs = Object.entries(changes).map(([name, value]) => [
    name,
    Array.isArray(value) ? { before: value[0], after: value[1] } : { before: null, after: value },
  ])
  const event = { actor: { id: 1, name: 'Vera Moroz' }, entity_id: 5, record: null, parts: 0, ...given }
  return textOf({ ...event, changes: Object.fromEntries(pairs) })
}

const says = (event: Parameters<typeof text>[0], sentence: string) => expect(text(event)).toBe(`Vera Moroz ${sentence}`)

describe('what happened, in words', () => {
  test.each([
    [{ action: 'create', entity: 'user', record: OLENA }, 'created the user Olena Koval'],
    [{ action: 'delete', entity: 'dashboard', record: ATLAS }, 'deleted the dashboard Atlas Media'],
    [{ action: 'delete', entity: 'media_plan' as 'user', record: ATLAS }, 'deleted the media plan Atlas Media'],
    [
      { action: 'update', entity: 'dashboard', record: ATLAS, changes: { workspaces: [3, 5] }, parts: 2 },
      'attached the dashboard Atlas Media to 2 workspaces',
    ],
    [
      { action: 'update', entity: 'dashboard', record: ATLAS, changes: { workspaces: [3, 2] }, parts: 1 },
      'detached the dashboard Atlas Media from 1 workspace',
    ],
    [
      { action: 'update', entity: 'dashboard', record: ATLAS, changes: { workspaces: [3, 3] }, parts: 2 },
      'changed the workspaces of Atlas Media',
    ],
    [
      { action: 'delete', entity: 'workspace', record: ATLAS, changes: { users: [2041, 0] } },
      'deleted the workspace Atlas Media and its 2,041 users',
    ],
    [
      { action: 'restore', entity: 'workspace', record: ATLAS, changes: { users: [0, 1] } },
      'restored the workspace Atlas Media and its 1 user',
    ],
    [{ action: 'remove', entity: 'user', record: OLENA }, 'deleted the user Olena Koval for good'],
    [{ action: 'unlock', entity: 'user', record: OLENA }, 'unlocked the user Olena Koval'],
    [{ action: 'create', entity: 'user' }, 'created the user 5'],
    [
      { action: 'update', entity: 'source', record: CHANNEL, changes: { country: ['UA', 'PL'] } },
      'changed the country of https://t.me/example to Poland',
    ],
    [{ action: 'delete', entity: 'source', record: CHANNEL }, 'deleted the source https://t.me/example'],
  ] as const)('%o', says)

  test('a change names its fields by the labels of the form, up to three', () => {
    const change = (changes: Record<string, unknown>, sentence: string) =>
      says({ action: 'update', entity: 'workspace', record: ATLAS, changes }, sentence)
    change({ ai_quota: [{ limit: 1 }, { limit: 2 }] }, 'changed the AI quota of Atlas Media')
    change({ status: ['FREE_ACCESS', 'TRIAL'] }, 'changed the status of Atlas Media to TRIAL')
    change({ name: ['A', 'B'], roles: [[], ['x']] }, 'changed the name and roles of Atlas Media')
    change(
      { name: ['A', 'B'], roles: [[], ['x']], powerbi_dashboards: [[], [1]] },
      'changed the name, roles and PowerBI dashboards of Atlas Media',
    )
    change({ name: 'B', description: 'C', status: 'TRIAL', homepage: '/' }, 'changed 4 fields of Atlas Media')
    change({ is_ucbi_admin: [false, true] }, 'turned on UCBI admin for Atlas Media')
  })

  test('quotas that the server has renewed', () => {
    const renewal = {
      action: 'renew',
      entity: 'workspace',
      record: ATLAS,
      actor: { id: null, name: 'Watchdesk' },
    } as const
    expect(text({ ...renewal, changes: { ai_quota: [{ balance: 1 }, { balance: 2 }] } })).toBe(
      'Watchdesk renewed the AI quota of Atlas Media',
    )
    expect(text({ ...renewal, changes: { ai_quota: [{}, {}], analytical_quota: [{}, {}] } })).toBe(
      'Watchdesk renewed the analytical quota and AI quota of Atlas Media',
    )
  })

  test('a change of many records says how many, and to what if it is one field', () => {
    const users = (
      action: AuditEvent['action'],
      changes: object,
      sentence: string,
      entity: AuditEvent['entity'] = 'users',
    ) => says({ action, entity, changes: { changed_count: 28, ...changes }, parts: 28 }, sentence)
    const workspaces = (changes: object, sentence: string) => users('update', changes, sentence, 'workspaces')
    users('update', { workspace_id: 5 }, 'moved 28 users to another workspace')
    users('update', { type: 'MODERATOR' }, 'changed the type of 28 users to MODERATOR')
    users('update', { is_super_admin: false }, 'turned off super admin for 28 users')
    users('update', { language: 'EN', type: 'MODERATOR' }, 'changed the type and language of 28 users')
    users('delete', {}, 'deleted 28 users')
    users('end_sessions', {}, 'signed out 28 users')
    workspaces({ extend_trial_days: 14 }, 'extended the trial of 28 workspaces by 14 days')
    workspaces({ status: null }, 'removed the status of 28 workspaces')
    workspaces({ ai_quota: { fill: true }, roles: { add: ['x'] } }, 'changed the AI quota and roles of 28 workspaces')
    users('delete', {}, 'deleted 28 dashboards', 'dashboards')
    const undo = { 'users put back': 27, is_redo: false, origin_kind: 'users_change' }
    says({ action: 'undo', entity: 'users', changes: undo }, 'undid a change of 27 users')
    const name = 'Move 100,000 users to Atlas Media'
    says({ action: 'cancel', entity: 'users', changes: { change: name } }, `cancelled the change “${name}”`)
    says({ action: 'cancel', entity: 'users', changes: { export: name } }, `cancelled the export “${name}”`)
    says({ action: 'update', entity: 'users', changes: { changed_count: 12 } }, 'changed 12 users')
    says({ action: 'end_sessions', entity: 'user', record: OLENA }, 'signed out the user Olena Koval')
  })

  test('a change of a user, a password, and the website config', () => {
    const user = { entity: 'user', record: OLENA } as const
    says(
      { ...user, action: 'update', changes: { is_admin: [true, false] } },
      'turned off workspace admin for Olena Koval',
    )
    says({ ...user, action: 'update', changes: { is_auditor: [false, true] } }, 'turned on auditor for Olena Koval')
    says({ ...user, action: 'update', changes: { password: '(changed)' } }, 'changed the password of Olena Koval')
    says({ ...user, action: 'put_back', changes: { email: ['a', 'b'] } }, 'put back the email of Olena Koval')
    const config = { action: 'update', entity: 'website_config', entity_id: null } as const
    says(
      { ...config, changes: { sources_sheet_telegram: ['', '/sheets/7'] } },
      'changed the Telegram sources in the website config',
    )
  })

  test('imports and exports are counted', () => {
    const sources = { entity: 'sources', entity_id: null } as const
    says(
      { ...sources, action: 'import', changes: { inputs_count: 3000, requested: 2841 } },
      'added 2,841 of 3,000 sources',
    )
    const counts = { platform: 'TELEGRAM', created_count: 3, updated_count: 1, unchanged_count: 6, skipped_count: 0 }
    says({ ...sources, action: 'import', changes: counts }, 'imported 10 TELEGRAM sources: 3 new, 1 updated')
    says({ ...sources, action: 'export', changes: { platform: 'VK', exported_count: 1 } }, 'exported 1 VK source')
    const changed = { ...sources, entity_id: 7 }
    says(
      { ...changed, action: 'update', changes: { changed_count: 12, country: 'UA' } },
      'changed the country of 12 sources to Ukraine',
    )
    says(
      { ...changed, action: 'update', changes: { changed_count: 1, country: null } },
      'removed the country of 1 source',
    )
    says({ ...changed, action: 'delete', changes: { changed_count: 1200 } }, 'removed 1,200 sources')
    says({ ...changed, action: 'undo' }, 'undid an import of sources')
    says({ ...changed, action: 'undo', record: live('sources.csv') }, 'undid the import of sources.csv')
    says({ ...sources, action: 'download', changes: { format: 'csv' } }, 'downloaded sources as CSV')
    const stories = { imported_stories_count: 200, narratives_count: 1, deleted_stories_count: 12 }
    says(
      { action: 'import', entity: 'stories', changes: stories },
      'imported 200 stories into 1 narrative and deleted 12',
    )
  })

  test('users that were added together are counted', () => {
    const users = { entity: 'users', action: 'import', changes: { rows_count: 30 } } as const
    says({ ...users, parts: 28 }, 'added 28 users')
    says({ ...users, parts: 1, record: live('team.csv') }, 'added 1 user from team.csv')
    const undo = { origin_kind: 'users_import', 'users deleted': 28, changed_count: 28, is_redo: false }
    says({ action: 'undo', entity: 'users', changes: undo }, 'undid an import of users')
  })

  test('an import of any records has a sentence, and so have the files of its rows', () => {
    const dashboards = { entity: 'dashboards', record: live('reports.csv') } as const
    says({ ...dashboards, action: 'import', parts: 12 }, 'added 12 dashboards from reports.csv')
    says({ ...dashboards, action: 'undo', changes: { is_redo: true } }, 'redid the import of reports.csv')
    says({ ...dashboards, action: 'cancel', changes: { file: 'a.csv' } }, 'cancelled the import of a.csv')
    says(
      { entity: 'dashboards', action: 'download', changes: { format: 'csv' } },
      'downloaded rows of an import of dashboards as CSV',
    )
  })

  test('imports with a page are linked, and undone ones have their name', () => {
    const file = live('wrong.csv')
    const sources = { entity: 'sources', record: file } as const
    says(
      { ...sources, action: 'import', changes: { inputs_count: 3, requested: 2 } },
      'added 2 of 3 sources from wrong.csv',
    )
    says({ ...sources, action: 'undo', changes: { import_id: 4 } }, 'undid the import of wrong.csv')
    says({ action: 'undo', entity: 'stories', changes: { import_id: 4 } }, 'undid an import of stories')
    says(
      { ...sources, action: 'download', changes: { format: 'csv' } },
      'downloaded rows of the import of wrong.csv as CSV',
    )
    const sheet = live('Sources')
    says({ action: 'undo', entity: 'sheet', record: sheet }, 'put back the rows of the sheet Sources')
  })

  test('undos and redos, of imports and of bulk changes, have their own words', () => {
    const file = live('wrong.csv')
    const undo = { action: 'undo', entity: 'sources' } as const
    const ofImport = { origin_kind: 'source_import', 'sources removed': 3, left_alone: 0 }
    says({ ...undo, record: file, changes: { ...ofImport, is_redo: false } }, 'undid the import of wrong.csv')
    says({ ...undo, record: file, changes: { ...ofImport, is_redo: true } }, 'redid the import of wrong.csv')
    const ofChange = { origin_kind: 'sources_change', 'sources put back': 112, left_alone: 2 }
    says({ ...undo, changes: { ...ofChange, is_redo: false } }, 'undid a change of 112 sources')
    says({ ...undo, changes: { ...ofChange, is_redo: true } }, 'redid a change of 112 sources')
    says(
      { action: 'undo', entity: 'sheet', record: live('Sources'), changes: { is_redo: true } },
      'replaced the rows of the sheet Sources again',
    )
  })

  test('a sign-in with an unknown email is somebody’s', () => {
    expect(text({ action: 'login_failed', entity: 'session', entity_id: null, actor: null })).toBe(
      'Somebody failed to sign in with an unknown email',
    )
  })

  test('sheets, runs, rejected calls, and many records at once', () => {
    const sheet = { entity: 'sheet', record: live('Sources') } as const
    says({ ...sheet, action: 'update', changes: { file: 'new.csv' } }, 'replaced the sheet Sources with new.csv')
    says({ ...sheet, action: 'update', changes: { title: ['Old', 'Sources'] } }, 'changed the title of Sources')
    says({ ...sheet, action: 'restore' }, 'restored the sheet Sources')
    const purged = {
      action: 'delete',
      entity: 'sheet',
      entity_id: null,
      changes: { sheets: [3, 0], days: 90 },
    } as const
    expect(text({ ...purged, actor: { id: null, name: 'Watchdesk' } })).toBe(
      'Watchdesk moved 3 sheets to the bin, unchanged for 90 days',
    )
    says({ ...sheet, action: 'download', changes: { format: 'xlsx' } }, 'downloaded the sheet Sources as XLSX')
    says(
      { action: 'create', entity: 'vectorization', changes: { narrative_id: 7 } },
      'started the vectorization of narrative 7',
    )
    says(
      { action: 'denied', entity: 'call', changes: { call: 'GET /api/v1/audit/' } },
      'was not allowed to call GET /api/v1/audit/',
    )
    says(
      { action: 'purge', entity: 'bin', changes: { users: [3, 0], dashboards: [1, 0] } },
      'removed 4 records from the bin after 30 days',
    )
    const restore = { action: 'restore', entity: 'bin', changes: { records: 12 } } as const
    says({ ...restore, parts: 12 }, 'restored 12 records')
    says({ ...restore, parts: 11 }, 'restored 11 of 12 records')
    says(
      { action: 'purge', entity: 'activity', changes: { events: [1000, 0], days: 90 } },
      'removed 1,000 events older than 90 days',
    )
    for (const entity of ['users', 'workspaces'] as const) {
      says(
        { action: 'download', entity, entity_id: null, changes: { format: 'xlsx', columns: ['id'] } },
        `downloaded ${entity} as XLSX`,
      )
    }
    says({ action: 'download', entity: 'activity', changes: { format: 'jsonl' } }, 'downloaded events as JSON lines')
  })
})
