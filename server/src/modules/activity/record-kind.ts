import type { BinRecord } from '@watchdesk/contract/bin'
import type { DeletableKind } from '@watchdesk/contract/records'
import type { RawBuilder } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Read } from '../../db/read.ts'
import type { RecordTable } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import type { EarlierFields } from './fields.ts'

type Sql = RawBuilder<unknown>
export type BinProblem = NonNullable<BinRecord['problem']>

/** What a feature says about its records: where they are, and what the bin shows. */
export type RecordFacts = RecordTable & {
  bin: {
    /** Below its name. */
    detail: Sql
    workspace?: Sql
    users?: Sql
    workspaces?: Sql
    /** If the newest event about a delete does not say it. */
    deleted_by?: Sql
    /** Where a search looks, if not only in the name. */
    isFound?(search: string): Sql
    /** Why some of these deleted records cannot be restored. */
    problems?(read: Read, actor: Actor, ids: number[]): Promise<Map<number, BinProblem>>
  }
}

/** A kind of record, in the folder of its feature. */
export type DeletableRecord = RecordFacts & {
  store(deps: Deps): { restore(actor: Actor, id: number, options: { parent_id: number }): Promise<unknown> }
  /** How its fields are put back. Without it, none can be. */
  fields?(deps: Deps): EarlierFields
}

/** All kinds of records that can be deleted, in the order of their restore, and the only one that cannot. */
export type RecordKinds = {
  deletable: Record<DeletableKind, DeletableRecord>
  website_config: { fields(deps: Deps): EarlierFields }
}
