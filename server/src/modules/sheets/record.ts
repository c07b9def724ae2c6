import { sql } from 'kysely'
import type { RecordFacts } from '../activity/record-kind.ts'

export const SHEET = {
  kind: 'sheet',
  table: 'sheets',
  name: sql`title`,
  bin: { detail: sql`to_char(row_count, 'FM999,999,999') || case row_count when 1 then ' row' else ' rows' end` },
} as const satisfies RecordFacts
