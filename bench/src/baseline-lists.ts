import type { Pool } from 'pg'
import { COUNT_MATCHES, COUNT_RANGES, FIND_MATCHES, listUsers } from './baseline-sql.ts'

const SIZE = 20
const IDS_IN_RANGE = 65_536

/** A page of users with the exact total, found in the same way as in `server/src/db/list.ts`. */
export async function usersPage(pool: Pool, sort: string, page: number) {
  const { rows: ranges } = await pool.query<Range>(COUNT_RANGES)
  const total = ranges.reduce((sum, { live }) => sum + live, 0)
  const start = (page - 1) * SIZE
  const length = Math.min(SIZE, total - start)
  const { direction, skip, from, border } =
    sort === 'id' ? walkIds(ranges, start, length) : walkAll(total, start, length)
  const values = border ? [length, skip, from] : [length, skip]
  const { rows } = await pool.query({ ...listUsers(sort, direction, border), values })
  return { objects: rows, total, size: SIZE }
}

export async function foundUsers(pool: Pool, search: string, page: number) {
  const pattern = `%${search.toLowerCase()}%`
  const counted = await pool.query(COUNT_MATCHES, [pattern])
  const { rows } = await pool.query(FIND_MATCHES, [SIZE, (page - 1) * SIZE, pattern])
  return { objects: rows, total: counted.rows[0].total, size: SIZE }
}

type Range = { id_range: number; live: number }
type Walk = { direction: 'asc' | 'desc'; skip: number; from?: number; border?: '>=' | '<' }

function walkAll(total: number, start: number, length: number): Walk {
  const after = total - start - length
  return after < start ? { direction: 'desc', skip: after } : { direction: 'asc', skip: start }
}

function walkIds(ranges: Range[], start: number, length: number): Walk {
  let before = 0
  let best: Walk = { direction: 'asc', skip: start }
  for (const { id_range, live } of ranges) {
    const after = before + live
    const walks: Walk[] = [
      { direction: 'asc', skip: start - before, from: id_range * IDS_IN_RANGE, border: '>=' },
      { direction: 'desc', skip: after - start - length, from: (id_range + 1) * IDS_IN_RANGE, border: '<' },
    ]
    for (const walk of walks) if (walk.skip >= 0 && walk.skip < best.skip) best = walk
    before = after
  }
  return best
}
