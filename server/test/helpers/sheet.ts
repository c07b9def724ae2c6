import { sql } from 'kysely'
import type { Actor } from '../../src/actor.ts'
import type { NewSheet } from '../../src/adapters/sheets/sheets.ts'
import { countOutcomes } from '../../src/db/row-sets.ts'
import { FIRST_ADMIN } from './people.ts'
import type { Watchdesk } from './watchdesk.ts'

const ACTOR = { id: FIRST_ADMIN.id, name: 'Super Admin' } as Actor

export type GivenSheet = Partial<Pick<NewSheet, 'title' | 'origin' | 'header'>> & {
  rows?: string[][]
  hasOutcomes?: boolean
}

/** A new sheet with defaults for the fields that a test does not set. */
export function newSheet({ rows = [], hasOutcomes, ...given }: GivenSheet = {}): NewSheet {
  const query = sql`select place, array(select jsonb_array_elements_text(row)) as cells
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as given (row, place)`
  const header = given.header ?? ['a', 'b']
  return {
    title: 'A sheet',
    origin: 'source_management',
    header,
    row_count: rows.length,
    rows: query,
    ...(hasOutcomes && { outcomes: countOutcomes(rows, header.indexOf('outcome')) }),
    ...given,
  }
}

/** Stores a new sheet of the first super admin, and returns its id. */
export async function storeSheet({ deps: { db, sheets } }: Pick<Watchdesk, 'deps'>, sheet: GivenSheet = {}) {
  const { id } = await db.transaction().execute((trx) => sheets.create(trx, ACTOR, newSheet(sheet)))
  return Number(id)
}
