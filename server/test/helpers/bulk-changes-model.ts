import type { BulkChanged, BulkPreview } from '@watchdesk/contract/operations/changes'
import type { Workspace } from '@watchdesk/contract/workspaces'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { insertUser } from './people.ts'
import { QUOTAS, useWatchdesk, type Watchdesk } from './watchdesk.ts'

const COUNT = 5

type Fields = Record<string, unknown>
type Kept = { fields: Fields; isLive: boolean; version: number }
/** What a change did to a record: its fields before and after, or nothing if it was deleted or restored. */
type Change = { at: number; fields?: Record<string, { before: unknown; after: unknown }>; version: number }
type Done = { id: number; action: 'update' | 'delete' | 'restore'; changes: Change[]; undoes?: Done; undoneBy?: Done }

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The naive model: it keeps every record and every change, and compares fields one by one. */
class Model {
  readonly records: Kept[]
  readonly done: Done[] = []

  constructor(fields: Fields[]) {
    this.records = fields.map((each) => ({ fields: each, isLive: true, version: 1 }))
  }

  at(place: number): Kept {
    const record = this.records[place]
    if (!record) throw new Error(`There is no record ${place}`)
    return record
  }

  /** Undefined if nothing differs. */
  set(at: number, wanted: Fields): Change | undefined {
    const record = this.at(at)
    const differing = Object.entries(wanted).filter(([field, value]) => !isEqual(record.fields[field], value))
    if (!record.isLive || differing.length === 0) return undefined
    const fields = differing.map(([field, after]) => [field, { before: record.fields[field], after }])
    record.fields = { ...record.fields, ...Object.fromEntries(differing) }
    record.version += 1
    return { at, fields: Object.fromEntries(fields), version: record.version }
  }

  setLive(at: number, isLive: boolean): Change | undefined {
    const record = this.at(at)
    if (record.isLive === isLive) return undefined
    record.isLive = isLive
    record.version += 1
    return { at, version: record.version }
  }

  /** Returns false if nothing would change, which is refused. */
  undo(id: number, target: Done, isForced: boolean) {
    // What was undone is done again once.
    if (target.undoneBy || target.undoes?.undoes) return false
    const action = target.action === 'update' ? 'update' : target.action === 'delete' ? 'restore' : 'delete'
    const changes = target.changes.flatMap(({ at, fields = {}, version }) => {
      const record = this.at(at)
      const isSame =
        action === 'update'
          ? Object.entries(fields).every(([field, { after }]) => isEqual(record.fields[field], after))
          : record.version === version
      if (!isSame && !isForced) return []
      const earlier = Object.fromEntries(Object.entries(fields).map(([field, { before }]) => [field, before]))
      return (action === 'update' ? this.set(at, earlier) : this.setLive(at, action === 'restore')) ?? []
    })
    if (changes.length === 0) return false
    const undo: Done = { id, action, changes, undoes: target }
    target.undoneBy = undo
    this.done.push(undo)
    return true
  }
}

/** What differs between users and workspaces. */
type Kind<Set> = {
  records: 'users' | 'workspaces'
  sets: fc.Arbitrary<Set>
  /** The ids of new records, all with the same fields. */
  create(): Promise<{ ids: number[]; fields: Fields }>
  /** What a change of many makes of the fields. */
  apply(set: Set, fields: Fields): Fields
  /** Edits one of them in the ordinary way. */
  edit(id: number, wanted: Fields): Promise<{ status: number }>
  edits: fc.Arbitrary<Fields>
  stored(ids: number[]): Promise<Kept[]>
}

const someOf = fc.uniqueArray(fc.nat(COUNT - 1), { minLength: 1 })

function steps<Set>({ sets, edits }: Kind<Set>) {
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ what: fc.constant('change' as const), which: someOf, set: sets }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('delete' as const), which: someOf }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('edit' as const), at: fc.nat(COUNT - 1), fields: edits }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('remove' as const), at: fc.nat(COUNT - 1) }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('restore' as const), at: fc.nat(COUNT - 1) }) },
    {
      weight: 6,
      arbitrary: fc.record({ what: fc.constant('undo' as const), nth: fc.nat(20), isForced: fc.boolean() }),
    },
  )
}

async function run<Set>({ admin }: Watchdesk, runs: number, kind: Kind<Set>) {
  const url = `/api/v1/${kind.records}`
  const step = steps(kind)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (all) => {
      const { ids, fields } = await kind.create()
      const model = new Model(ids.map(() => fields))
      for (const next of all) {
        await take(model, ids, next)
        expect(await kind.stored(ids)).toEqual(model.records)
      }
    }),
    { numRuns: runs },
  )

  async function take(model: Model, ids: number[], next: typeof step extends fc.Arbitrary<infer Step> ? Step : never) {
    if (next.what === 'undo') {
      const asked = model.done[next.nth % Math.max(model.done.length, 1)]
      if (!asked) return
      const changed = next.isForced ? 'all' : 'leave'
      const undone = await admin<{ id: number }>('POST', `/api/v1/imports/${asked.id}/undo`, { changed })
      expect(undone.status).toBe(model.undo(undone.body.id, asked, next.isForced) ? 200 : 409)
    } else if (next.what === 'change' || next.what === 'delete') {
      const changes = next.which
        .toSorted((a, b) => a - b)
        .flatMap((at) => {
          if (next.what === 'delete') return model.setLive(at, false) ?? []
          return model.set(at, kind.apply(next.set, model.at(at).fields)) ?? []
        })
      const action = next.what === 'delete' ? 'delete' : 'update'
      const body = {
        action,
        ...(next.what === 'change' && { set: next.set }),
        ids: next.which.map((at) => ids[at]),
      }
      const { import_id, changed_count } = await changeMany(body)
      expect(changed_count).toBe(changes.length)
      if (import_id !== null) model.done.push({ id: import_id, action, changes })
    } else {
      const id = ids[next.at] ?? 0
      const { isLive } = model.at(next.at)
      if (isLive === (next.what === 'restore')) return
      const path = `${url}/${id}`
      if (next.what === 'edit') {
        expect((await kind.edit(id, next.fields)).status).toBe(200)
        model.set(next.at, next.fields)
      } else if (next.what === 'remove') {
        expect((await admin('DELETE', path)).status).toBe(204)
        model.setLive(next.at, false)
      } else {
        expect((await admin('POST', `${path}/restore`)).status).toBe(200)
        model.setLive(next.at, true)
      }
    }
  }

  async function changeMany(body: object) {
    const { count, changed_count } = (await admin<BulkPreview>('POST', `${url}/change/preview`, body)).body
    const expected = { expected_count: count, expected_changed_count: changed_count }
    const changed = await admin<BulkChanged>('POST', `${url}/change`, { ...body, ...expected })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    return changed.body
  }
}

const type = fc.constantFrom('UNDERPRIVILEGED', 'STANDARD', 'MODERATOR')
const language = fc.constantFrom('EN', 'UK', '')
const isAdmin = fc.boolean()

type WorkspaceSet = {
  status?: string | null
  roles?: { add: string[]; remove: string[] }
  ai_quota?: { top_up: number }
}

/** Compares bulk changes and their undos with a naive model. */
export function compareBulkChanges(runs: number) {
  const watchdesk = useWatchdesk()

  test('after any sequence of bulk changes, edits and undos, the users are those of a naive model', {
    timeout: 60_000 + runs * 10_000,
  }, async () => {
    const places = [1, (await watchdesk.createWorkspace()).id, (await watchdesk.createWorkspace()).id]
    const workspace_id = fc.constantFrom(...places)
    const sets = fc
      .record({ type, language, workspace_id, is_admin: isAdmin }, { requiredKeys: [] })
      .filter((set) => Object.keys(set).length > 0)
    await run<Fields>(watchdesk, runs, {
      records: 'users',
      sets,
      edits: sets,
      apply: (set) => set,
      edit: (id, fields) => watchdesk.admin('PATCH', `/api/v1/users/${id}`, fields),
      async create() {
        const ids = []
        for (let n = 0; n < COUNT; n += 1) ids.push((await insertUser(watchdesk, { workspace_id: 1 })).id)
        return { ids, fields: { type: 'STANDARD', language: '', workspace_id: 1, is_admin: false } }
      },
      async stored(ids) {
        const { rows } = await watchdesk.database.pool.query<Kept>(
          `select json_build_object('type', type, 'language', language, 'workspace_id', workspace_id, 'is_admin', is_admin) as fields,
             deleted_at is null as "isLive", version from users where id = any($1) order by id`,
          [ids],
        )
        return rows
      },
    })
  })

  test('after any sequence of bulk changes, edits and undos, the workspaces are those of a naive model', {
    timeout: 60_000 + runs * 10_000,
  }, async () => {
    const [one = '', two = '', three = ''] = watchdesk.deps.catalog.all_roles
    const status = fc.constantFrom(null, 'PAID_CLIENT', 'DEACTIVATED')
    const role = fc.constantFrom(one, two, three)
    const roles = fc
      .tuple(fc.uniqueArray(role), fc.uniqueArray(role))
      .map(([add, remove]) => ({ add, remove: remove.filter((each) => !add.includes(each)) }))
      .filter(({ add, remove }) => add.length + remove.length > 0)
    const sets = fc
      .record({ status, roles, ai_quota: fc.record({ top_up: fc.constantFrom(10, 100) }) }, { requiredKeys: [] })
      .filter((set) => Object.keys(set).length > 0)
    await run<WorkspaceSet>(watchdesk, runs, {
      records: 'workspaces',
      sets: sets as fc.Arbitrary<WorkspaceSet>,
      edits: fc.record({ status, roles: fc.uniqueArray(role) }),
      apply(set, fields) {
        const held = fields.roles as string[]
        const { add = [], remove = [] } = set.roles ?? {}
        const kept = held.filter((each) => !remove.includes(each))
        return {
          ...(set.status !== undefined && { status: set.status }),
          ...(set.roles && { roles: [...kept, ...add.filter((each) => !kept.includes(each))] }),
          ...(set.ai_quota && { balance: Number(fields.balance) + set.ai_quota.top_up }),
        }
      },
      async edit(id, fields) {
        const { body } = await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)
        const { name, analytical_quota, ai_quota } = body
        return watchdesk.admin('PUT', `/api/v1/workspaces/${id}`, { name, analytical_quota, ai_quota, ...fields })
      },
      async create() {
        const ids = []
        for (let n = 0; n < COUNT; n += 1) ids.push((await watchdesk.createWorkspace()).id)
        return { ids, fields: { status: null, roles: [], balance: QUOTAS.ai_quota.balance } }
      },
      async stored(ids) {
        const { rows } = await watchdesk.database.pool.query<Kept>(
          `select json_build_object('status', status, 'roles', config -> 'roles', 'balance', ai_quota -> 'balance') as fields,
             deleted_at is null as "isLive", version from workspaces where id = any($1) order by id`,
          [ids],
        )
        return rows
      },
    })
  })
}
