import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADMIN, useWatchdesk } from './watchdesk.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']
const name = fc.constantFrom(...NAMES)
const country = fc.constantFrom(null, 'UA', 'PL', 'DE')
const rows = fc.uniqueArray(fc.record({ name, country }), { minLength: 1, maxLength: 5, selector: (row) => row.name })

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('import' as const), rows }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('platform' as const), rows }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('edit' as const), name, country }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('remove' as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('restore' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('change' as const),
      names: fc.uniqueArray(name, { minLength: 1 }),
      country,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('undo' as const),
      which: fc.nat(20),
      changed: fc.constantFrom('leave' as const, 'leave' as const, 'all' as const),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Row = { name: string; country: string | null }

/** What a source is, or was: no two contents that somebody made are the same object. */
type Content = { isLive: boolean; country: string | null }
type Change = { name: string; before: Content | undefined; after: Content }
type Done = { id: number; changes: Change[]; undoes?: Done; undoneBy?: Done }

/** The naive model: it keeps every content and compares them by identity. */
class Model {
  readonly sources = new Map<string, Content>()
  readonly done: Done[] = []

  put(name: string, after: Content): Change {
    const before = this.sources.get(name)
    this.sources.set(name, after)
    return { name, before, after }
  }

  import(id: number, wanted: Row[], updates: boolean) {
    const changes: Change[] = []
    for (const { name, country } of wanted) {
      const current = this.sources.get(name)
      const isKnown = current?.isLive
      if (!isKnown || (updates && current.country !== country)) changes.push(this.put(name, { isLive: true, country }))
    }
    this.done.push({ id, changes })
  }

  /** Returns false if nothing would change, which is refused. */
  undo(id: number, target: Done, changed: 'leave' | 'all') {
    // What was undone is done again once.
    if (target.undoneBy || target.undoes?.undoes) return false
    const changes: Change[] = []
    for (const { name, before, after } of target.changes) {
      const current = this.sources.get(name)
      if (!current || (current !== after && changed === 'leave')) continue
      // A source that the import had added is removed: a new content, which nobody had seen before.
      const isGone = before === undefined && !current.isLive
      if (!isGone) changes.push(this.put(name, before ?? { ...current, isLive: false }))
    }
    if (changes.length === 0) return false
    const undo: Done = { id, changes, undoes: target }
    target.undoneBy = undo
    this.done.push(undo)
    return true
  }

  live() {
    const entries = [...this.sources].filter(([, { isLive }]) => isLive).map(([name, { country }]) => [name, country])
    return Object.fromEntries(entries.sort())
  }
}

/** Compares imports and their undos with a naive model. */
export function compareImports(runs: number) {
  const watchdesk = useWatchdesk()

  async function live() {
    const { rows: stored } = await watchdesk.database.pool.query<Row>(
      `select replace(url, 'https://t.me/', '') as name, country from sources where deleted_at is null order by 1`,
    )
    return Object.fromEntries(stored.map(({ name, country }) => [name, country]))
  }

  async function idOf(name: string) {
    const { rows: found } = await watchdesk.database.pool.query<{ id: number }>(
      'select id::int from sources where url = $1',
      [`https://t.me/${name}`],
    )
    return found[0]?.id
  }

  async function call<Body = { [field: string]: never }>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ) {
    const response = await watchdesk.admin<Body>(method, path, body)
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
    return response.body
  }

  /** A sheet with these rows, which the website config names. */
  async function nameSheet(wanted: Row[]) {
    const { pool } = watchdesk.database
    const { rows: sets } = await pool.query<{ id: number }>(
      `insert into row_sets (header, row_count) values ('{source_url,source_country}', $1) returning id`,
      [wanted.length],
    )
    const id = sets[0]?.id
    for (const [index, { name, country }] of wanted.entries()) {
      await pool.query('insert into set_rows (set_id, number, cells) values ($1, $2, $3)', [
        id,
        index + 1,
        [`https://t.me/${name}`, country ?? ''],
      ])
    }
    const { rows: sheets } = await pool.query<{ id: number }>(
      `insert into sheets (title, header, row_count, rows_id) values ('Sources', '{source_url,source_country}', $1, $2) returning id`,
      [wanted.length, id],
    )
    await call('PATCH', '/api/v1/config/website_config', { sources_sheet_telegram: `/sheets/${sheets[0]?.id}` })
  }

  async function take(model: Model, next: Step) {
    if (next.what === 'import') {
      const sheet_records = next.rows.map(({ name, country }) => ({
        source_url: `t.me/${name}`,
        ...(country && { source_country: country }),
      }))
      const body = { email: ADMIN.email, sheet_url: null, sheet_records }
      const { import_id, verification } = await call<{ import_id: number; verification: { is_equal: boolean } }>(
        'POST',
        '/api/v1/source_import/sources',
        body,
      )
      expect(verification.is_equal).toBe(true)
      model.import(import_id, next.rows, false)
    } else if (next.what === 'platform') {
      await nameSheet(next.rows)
      const body = { platform: 'TELEGRAM', type: 'import' }
      const { import_id, verification } = await call<{ import_id: number; verification: { is_equal: boolean } }>(
        'POST',
        '/api/v1/source_management/import',
        body,
      )
      expect(verification.is_equal).toBe(true)
      model.import(import_id, next.rows, true)
    } else if (next.what === 'change') {
      const chosen = next.names.filter((each) => model.sources.get(each)?.isLive)
      if (chosen.length === 0) return
      const ids = await Promise.all(chosen.map(idOf))
      const body = { action: 'set_country', country: next.country, ids, expected_count: ids.length }
      const { import_id } = await call<{ import_id: number | null }>('POST', '/api/v1/sources/change', body)
      if (import_id !== null)
        model.import(
          import_id,
          chosen.map((each) => ({ name: each, country: next.country })),
          true,
        )
    } else if (next.what === 'undo') {
      const asked = model.done[next.which % Math.max(model.done.length, 1)]
      if (!asked) return
      const path = `/api/v1/imports/${asked.id}/undo`
      const { status, body } = await watchdesk.admin<{ id: number }>('POST', path, { changed: next.changed })
      expect(status).toBe(model.undo(body.id, asked, next.changed) ? 200 : 409)
    } else {
      const current = model.sources.get(next.name)
      const id = await idOf(next.name)
      if (!current || id === undefined || current.isLive === (next.what === 'restore')) return
      if (next.what === 'edit') {
        if (current.country === next.country) return
        await call('PATCH', `/api/v1/sources/${id}`, { country: next.country })
        model.put(next.name, { isLive: true, country: next.country })
      } else if (next.what === 'remove') {
        await call('DELETE', `/api/v1/sources/${id}`)
        model.put(next.name, { ...current, isLive: false })
      } else {
        await call('POST', `/api/v1/sources/${id}/restore`)
        model.put(next.name, { ...current, isLive: true })
      }
    }
  }

  test('after any sequence of imports, edits and undos, the sources are those of a naive model', {
    timeout: 60_000 + runs * 10_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        await watchdesk.database.pool.query('truncate sources, operation_changes, operations cascade')
        const model = new Model()
        for (const next of steps) {
          await take(model, next)
          expect(await live()).toEqual(model.live())
        }
      }),
      { numRuns: runs },
    )
  })
}
