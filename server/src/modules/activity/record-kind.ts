import type { BinRecord } from '@watchdesk/contract/bin'
import type { DeletableKind } from '@watchdesk/contract/records'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../actor.ts'
import type { Read } from '../../db/read.ts'
import type { RecordTable } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import { invalid } from '../../problem.ts'

type Sql = RawBuilder<unknown>
export type BinProblem = NonNullable<BinRecord['problem']>

/** What a feature says about its records: where they are, and what the bin shows. */
export type RecordFacts = RecordTable & {
  bin: {
    detail: Sql
    workspace?: Sql
    users?: Sql
    workspaces?: Sql
    /** If the newest event about a delete does not say it. */
    deleted_by?: Sql
    /** Where a search looks, if not only in the name. */
    isFound?(search: string): Sql
    problems?(read: Read, actor: Actor, ids: number[]): Promise<Map<number, BinProblem>>
  }
}

export type DeletableRecord = RecordFacts & {
  store(deps: Deps): { restore(actor: Actor, id: number, options: { parent_id: number }): Promise<unknown> }
  fields?(deps: Deps): EarlierFields
}

/** `deletable` is in the order of their restore. */
export type RecordKinds = {
  deletable: Record<DeletableKind, DeletableRecord>
  website_config: { fields(deps: Deps): EarlierFields }
}

export type Fields = Record<string, unknown>
type Current = { id: number; version: number; values: Fields }
type Check = { earlier?: unknown; note?: string; problem?: string | undefined }

/** How fields of a kind of record are put back: with the store's own edit, so with the same rules. */
export type EarlierFields = {
  read(actor: Actor, id: number): Promise<Current | undefined>
  /** Whether the field can have the value that it had then, or what comes closest to it. */
  check(actor: Actor, current: Current, field: string, then: Fields): Promise<Check>
  /** Returns the new version. */
  write(actor: Actor, id: number, changed: Fields, all: Fields, ifMatch: string): Promise<number>
}

type FieldStore<Body> = Partial<Pick<EarlierFields, 'check'>> & {
  get(id: number, actor: Actor): Promise<{ version: number; deleted_at?: string | null } | undefined>
  update(actor: Actor, id: number, body: Body, ifMatch: string, action: 'put_back'): Promise<{ version: number }>
  /** Whether an edit has to have all fields. */
  isWhole?: true
}

export function fieldsOf<Body extends object>(
  schema: z.ZodObject & z.ZodType<Body>,
  { get, update, check = async () => ({}), isWhole }: FieldStore<Body>,
): EarlierFields {
  return {
    async read(actor, id) {
      const record = await get(id, actor)
      // A removed source can be read, but not changed.
      if (!record || record.deleted_at) return undefined
      const values = Object.fromEntries(Object.entries(record).filter(([name]) => name in schema.shape))
      return { id, version: record.version, values }
    },
    check,
    async write(actor, id, changed, all, ifMatch) {
      const body = parse(schema, isWhole ? { ...all, ...changed } : changed)
      return (await update(actor, id, body, ifMatch, 'put_back')).version
    },
  }
}

/** Leaves out what no longer exists, unless the record still has it. */
export function without(then: unknown, held: unknown, existing: unknown[], nameOf: (entry: unknown) => string): Check {
  const list: unknown[] = Array.isArray(then) ? then : []
  const kept: unknown[] = Array.isArray(held) ? held : []
  const gone = list.filter((entry) => !existing.includes(entry) && !kept.includes(entry))
  if (gone.length === 0) return {}
  const note = `Left out, because it no longer exists: ${gone.map(nameOf).join(', ')}.`
  return { earlier: list.filter((entry) => !gone.includes(entry)), note }
}

export function checkModel(catalog: Deps['catalog'], model: unknown): Check {
  const isOffered = !model || Object.values(catalog.vectorization_models).some((value) => value === model)
  return isOffered ? {} : { problem: `The stories vectors model ${model} is no longer available.` }
}

/** Earlier releases had other limits. */
function parse<Body>(schema: z.ZodType<Body>, fields: Fields): Body {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(String(issue?.path[0] ?? 'fields'), issue?.message ?? 'This value is no longer allowed.')
}
