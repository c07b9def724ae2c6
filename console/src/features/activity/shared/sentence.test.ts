import type { AuditEvent } from '@watchdesk/contract/audit'
import { describe, expect, test } from 'vitest'
import { textOf } from './sentence.ts'

const ATLAS = { name: 'Atlas Media', detail: null, state: 'live', current_name: null } as const
const OLENA = { name: 'Olena Koval', detail: 'olena@example.com', state: 'live', current_name: null } as const

const CHANNEL = { name: 'https://t.me/example', detail: null, state: 'live', current_name: null } as const

type Given = Pick<AuditEvent, 'action' | 'entity'> & Partial<AuditEvent>

function text({ changes = {}, ...given }: Omit<Given, 'changes'> & { changes?: Record<string, unknown> }) {
  const pairs = Object.entries(changes).map(([name, value]) => [
    name,
    Array.isArray(value) ? { before: value[0], after: value[1] } : { before: null, after: value },
  ])
  const event = { actor: { id: 1, name: 'Vera Moroz' }, entity_id: 5, record: null, parts: 0, ...given }
  return textOf({ ...event, changes: Object.fromEntries(pairs) })
}

describe('what happened, in words', () => {
  test.each([
    [{ action: 'create', entity: 'user', record: OLENA }, 'Vera Moroz created the user Olena Koval'],
    [{ action: 'delete', entity: 'dashboard', record: ATLAS }, 'Vera Moroz deleted the dashboard Atlas Media'],
    [
      { action: 'update', entity: 'dashboard', record: ATLAS, changes: { workspaces: [3, 5] }, parts: 2 },
      'Vera Moroz attached the dashboard Atlas Media to 2 workspaces',
    ],
    [
      { action: 'update', entity: 'dashboard', record: ATLAS, changes: { workspaces: [3, 2] }, parts: 1 },
      'Vera Moroz detached the dashboard Atlas Media from 1 workspace',
    ],
    [
      { action: 'update', entity: 'dashboard', record: ATLAS, changes: { workspaces: [3, 3] }, parts: 2 },
      'Vera Moroz changed the workspaces of Atlas Media',
    ],
    [
      { action: 'delete', entity: 'workspace', record: ATLAS, changes: { users: [2041, 0] } },
      'Vera Moroz deleted the workspace Atlas Media and its 2,041 users',
    ],
    [
      { action: 'restore', entity: 'workspace', record: ATLAS, changes: { users: [0, 1] } },
      'Vera Moroz restored the workspace Atlas Media and its 1 user',
    ],
    [{ action: 'remove', entity: 'user', record: OLENA }, 'Vera Moroz deleted the user Olena Koval for good'],
    [{ action: 'unlock', entity: 'user', record: OLENA }, 'Vera Moroz unlocked the user Olena Koval'],
    [{ action: 'create', entity: 'user' }, 'Vera Moroz created the user 5'],
    [
      { action: 'update', entity: 'source', record: CHANNEL, changes: { country: ['UA', 'PL'] } },
      'Vera Moroz changed the country of https://t.me/example to Poland',
    ],
    [{ action: 'delete', entity: 'source', record: CHANNEL }, 'Vera Moroz deleted the source https://t.me/example'],
  ] as const)('%o', (event, sentence) => {
    expect(text(event)).toBe(sentence)
  })

  test('a change names its fields by the labels of the form, up to three', () => {
    const change = (changes: Record<string, unknown>) =>
      text({ action: 'update', entity: 'workspace', record: ATLAS, changes })
    expect(change({ ai_quota: [{ limit: 1 }, { limit: 2 }] })).toBe('Vera Moroz changed the AI quota of Atlas Media')
    expect(change({ status: ['FREE_ACCESS', 'TRIAL'] })).toBe('Vera Moroz changed the status of Atlas Media to TRIAL')
    expect(change({ name: ['A', 'B'], roles: [[], ['x']] })).toBe(
      'Vera Moroz changed the name and roles of Atlas Media',
    )
    expect(change({ name: ['A', 'B'], roles: [[], ['x']], powerbi_dashboards: [[], [1]] })).toBe(
      'Vera Moroz changed the name, roles and PowerBI dashboards of Atlas Media',
    )
    expect(change({ name: 'B', description: 'C', status: 'TRIAL', homepage: '/' })).toBe(
      'Vera Moroz changed 4 fields of Atlas Media',
    )
    expect(change({ is_ucbi_admin: [false, true] })).toBe('Vera Moroz turned on UCBI admin for Atlas Media')
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
    const change = (entity: 'users' | 'workspaces' | 'dashboards', action: AuditEvent['action'], changes: object) =>
      text({ action, entity, changes: { changed_count: 28, ...changes }, parts: 28 })
    expect(change('users', 'update', { workspace_id: 5 })).toBe('Vera Moroz moved 28 users to another workspace')
    expect(change('users', 'update', { type: 'MODERATOR' })).toBe(
      'Vera Moroz changed the type of 28 users to MODERATOR',
    )
    expect(change('users', 'update', { is_super_admin: false })).toBe('Vera Moroz turned off super admin for 28 users')
    expect(change('users', 'update', { language: 'EN', type: 'MODERATOR' })).toBe(
      'Vera Moroz changed the type and language of 28 users',
    )
    expect(change('users', 'delete', {})).toBe('Vera Moroz deleted 28 users')
    expect(change('users', 'end_sessions', {})).toBe('Vera Moroz signed out 28 users')
    expect(change('workspaces', 'update', { extend_trial_days: 14 })).toBe(
      'Vera Moroz extended the trial of 28 workspaces by 14 days',
    )
    expect(change('workspaces', 'update', { status: null })).toBe('Vera Moroz removed the status of 28 workspaces')
    expect(change('workspaces', 'update', { ai_quota: { fill: true }, roles: { add: ['x'] } })).toBe(
      'Vera Moroz changed the AI quota and roles of 28 workspaces',
    )
    expect(change('dashboards', 'delete', {})).toBe('Vera Moroz deleted 28 dashboards')
    const undo = { 'users put back': 27, is_redo: false, origin_kind: 'users_change' }
    expect(text({ action: 'undo', entity: 'users', changes: undo })).toBe('Vera Moroz undid a change of 27 users')
    const name = 'Move 100,000 users to Atlas Media'
    expect(text({ action: 'cancel', entity: 'users', changes: { change: name } })).toBe(
      `Vera Moroz cancelled the change “${name}”`,
    )
    expect(text({ action: 'end_sessions', entity: 'user', record: OLENA })).toBe(
      'Vera Moroz signed out the user Olena Koval',
    )
  })

  test('a change of a user, a password, and the website config', () => {
    const user = { entity: 'user', record: OLENA } as const
    expect(text({ ...user, action: 'update', changes: { is_admin: [true, false] } })).toBe(
      'Vera Moroz turned off workspace admin for Olena Koval',
    )
    expect(text({ ...user, action: 'update', changes: { is_auditor: [false, true] } })).toBe(
      'Vera Moroz turned on auditor for Olena Koval',
    )
    expect(text({ ...user, action: 'update', changes: { password: '(changed)' } })).toBe(
      'Vera Moroz changed the password of Olena Koval',
    )
    expect(text({ ...user, action: 'put_back', changes: { email: ['a', 'b'] } })).toBe(
      'Vera Moroz put back the email of Olena Koval',
    )
    const config = { action: 'update', entity: 'website_config', entity_id: null } as const
    expect(text({ ...config, changes: { sources_sheet_telegram: ['', '/sheets/7'] } })).toBe(
      'Vera Moroz changed the Telegram sources in the website config',
    )
  })

  test('imports and exports are counted', () => {
    const sources = { entity: 'sources', entity_id: null } as const
    expect(text({ ...sources, action: 'import', changes: { inputs_count: 3000, requested: 2841 } })).toBe(
      'Vera Moroz added 2,841 of 3,000 sources',
    )
    const counts = { platform: 'TELEGRAM', created_count: 3, updated_count: 1, unchanged_count: 6, skipped_count: 0 }
    expect(text({ ...sources, action: 'import', changes: counts })).toBe(
      'Vera Moroz imported 10 TELEGRAM sources: 3 new, 1 updated',
    )
    expect(text({ ...sources, action: 'export', changes: { platform: 'VK', exported_count: 1 } })).toBe(
      'Vera Moroz exported 1 VK source',
    )
    const changed = { ...sources, entity_id: 7 }
    expect(text({ ...changed, action: 'update', changes: { changed_count: 12, country: 'UA' } })).toBe(
      'Vera Moroz changed the country of 12 sources to Ukraine',
    )
    expect(text({ ...changed, action: 'update', changes: { changed_count: 1, country: null } })).toBe(
      'Vera Moroz removed the country of 1 source',
    )
    expect(text({ ...changed, action: 'delete', changes: { changed_count: 1200 } })).toBe(
      'Vera Moroz removed 1,200 sources',
    )
    expect(text({ ...changed, action: 'undo' })).toBe('Vera Moroz undid an import of sources')
    expect(text({ ...changed, action: 'undo', record: { ...ATLAS, name: 'sources.csv' } })).toBe(
      'Vera Moroz undid the import of sources.csv',
    )
    expect(text({ ...sources, action: 'download', changes: { format: 'csv' } })).toBe(
      'Vera Moroz downloaded sources as CSV',
    )
    const stories = { imported_stories_count: 200, narratives_count: 1, deleted_stories_count: 12 }
    expect(text({ action: 'import', entity: 'stories', changes: stories })).toBe(
      'Vera Moroz imported 200 stories into 1 narrative and deleted 12',
    )
  })

  test('users that were added together are counted', () => {
    const users = { entity: 'users', action: 'import', changes: { rows_count: 30 } } as const
    expect(text({ ...users, parts: 28 })).toBe('Vera Moroz added 28 users')
    expect(text({ ...users, parts: 1, record: { ...ATLAS, name: 'team.csv' } })).toBe(
      'Vera Moroz added 1 user from team.csv',
    )
  })

  test('imports with a page are linked, and undone ones have their name', () => {
    const file = { name: 'wrong.csv', detail: null, state: 'live', current_name: null } as const
    const sources = { entity: 'sources', record: file } as const
    expect(text({ ...sources, action: 'import', changes: { inputs_count: 3, requested: 2 } })).toBe(
      'Vera Moroz added 2 of 3 sources from wrong.csv',
    )
    expect(text({ ...sources, action: 'undo', changes: { import_id: 4 } })).toBe(
      'Vera Moroz undid the import of wrong.csv',
    )
    expect(text({ action: 'undo', entity: 'stories', changes: { import_id: 4 } })).toBe(
      'Vera Moroz undid an import of stories',
    )
    expect(text({ ...sources, action: 'download', changes: { format: 'csv' } })).toBe(
      'Vera Moroz downloaded rows of the import of wrong.csv as CSV',
    )
    const sheet = { name: 'Sources', detail: null, state: 'live', current_name: null } as const
    expect(text({ action: 'undo', entity: 'sheet', record: sheet })).toBe(
      'Vera Moroz put back the rows of the sheet Sources',
    )
  })

  test('undos and redos, of imports and of bulk changes, have their own words', () => {
    const file = { name: 'wrong.csv', detail: null, state: 'live', current_name: null } as const
    const undo = { action: 'undo', entity: 'sources' } as const
    const ofImport = { origin_kind: 'source_import', 'sources removed': 3, left_alone: 0 }
    expect(text({ ...undo, record: file, changes: { ...ofImport, is_redo: false } })).toBe(
      'Vera Moroz undid the import of wrong.csv',
    )
    expect(text({ ...undo, record: file, changes: { ...ofImport, is_redo: true } })).toBe(
      'Vera Moroz redid the import of wrong.csv',
    )
    const ofChange = { origin_kind: 'sources_change', 'sources put back': 112, left_alone: 2 }
    expect(text({ ...undo, changes: { ...ofChange, is_redo: false } })).toBe('Vera Moroz undid a change of 112 sources')
    expect(text({ ...undo, changes: { ...ofChange, is_redo: true } })).toBe('Vera Moroz redid a change of 112 sources')
    expect(
      text({ action: 'undo', entity: 'sheet', record: { ...file, name: 'Sources' }, changes: { is_redo: true } }),
    ).toBe('Vera Moroz replaced the rows of the sheet Sources again')
  })

  test('sign-ins, also those that failed', () => {
    expect(text({ action: 'login', entity: 'session', record: OLENA })).toBe('Vera Moroz signed in')
    expect(text({ action: 'login_failed', entity: 'session', record: OLENA, actor: null })).toBe(
      'Somebody failed to sign in as Olena Koval',
    )
    expect(text({ action: 'login_failed', entity: 'session', entity_id: null, actor: null })).toBe(
      'Somebody failed to sign in with an unknown email',
    )
  })

  test('sheets, runs, rejected calls, and many records at once', () => {
    const sheet = { entity: 'sheet', record: { ...ATLAS, name: 'Sources' } } as const
    expect(text({ ...sheet, action: 'update', changes: { file: 'new.csv' } })).toBe(
      'Vera Moroz replaced the sheet Sources with new.csv',
    )
    expect(text({ ...sheet, action: 'update', changes: { title: ['Old', 'Sources'] } })).toBe(
      'Vera Moroz changed the title of Sources',
    )
    expect(text({ ...sheet, action: 'restore' })).toBe('Vera Moroz restored the sheet Sources')
    const purged = {
      action: 'delete',
      entity: 'sheet',
      entity_id: null,
      changes: { sheets: [3, 0], days: 90 },
    } as const
    expect(text({ ...purged, actor: { id: null, name: 'Watchdesk' } })).toBe(
      'Watchdesk moved 3 sheets to the bin, unchanged for 90 days',
    )
    expect(text({ ...sheet, action: 'download', changes: { format: 'xlsx' } })).toBe(
      'Vera Moroz downloaded the sheet Sources as XLSX',
    )
    expect(text({ action: 'create', entity: 'vectorization', changes: { narrative_id: 7 } })).toBe(
      'Vera Moroz started the vectorization of narrative 7',
    )
    expect(text({ action: 'denied', entity: 'call', changes: { call: 'GET /api/v1/audit/' } })).toBe(
      'Vera Moroz was not allowed to call GET /api/v1/audit/',
    )
    expect(text({ action: 'purge', entity: 'bin', changes: { users: [3, 0], dashboards: [1, 0] } })).toBe(
      'Vera Moroz removed 4 records from the bin after 30 days',
    )
    const restore = { action: 'restore', entity: 'bin', changes: { records: 12 } } as const
    expect(text({ ...restore, parts: 12 })).toBe('Vera Moroz restored 12 records')
    expect(text({ ...restore, parts: 11 })).toBe('Vera Moroz restored 11 of 12 records')
    expect(text({ action: 'purge', entity: 'activity', changes: { events: [1000, 0], days: 90 } })).toBe(
      'Vera Moroz removed 1,000 events older than 90 days',
    )
    for (const entity of ['users', 'workspaces'] as const) {
      expect(text({ action: 'download', entity, entity_id: null, changes: { format: 'xlsx', columns: ['id'] } })).toBe(
        `Vera Moroz downloaded ${entity} as XLSX`,
      )
    }
    expect(text({ action: 'download', entity: 'activity', changes: { format: 'jsonl' } })).toBe(
      'Vera Moroz downloaded events as JSON lines',
    )
  })
})
