import type { Pool } from 'pg'
import { COUNT_MATCHES, countOf, FIND_MATCHES, listUsers, type Sort } from './baseline-sql.ts'

const SIZE = 20

/** A page of users with the exact total, read from the nearer end. */
export async function usersPage(pool: Pool, sort: Sort, page: number) {
  const { isFromEnd, values } = await sliceOf(pool, 'users', page)
  const { rows } = await pool.query({ ...listUsers(sort, isFromEnd), values })
  const objects = rows.map(({ list_total: _, place: __, ...user }) => user)
  return { objects, total: rows[0].list_total, size: SIZE }
}

/** Where the rows of a page are, counted from the nearer end. */
export async function sliceOf(pool: Pool, list: 'users' | 'sources', page: number) {
  if (page === 1) return { isFromEnd: false, values: [SIZE, 0] }
  const counted = await pool.query(countOf(list))
  const total = counted.rows[0].list_total
  const before = (page - 1) * SIZE
  const length = Math.min(SIZE, total - before)
  const after = total - before - length
  return { isFromEnd: after < before, values: [length, Math.min(before, after)] }
}

/** All matches are counted, then the page is read. */
export async function foundUsers(pool: Pool, search: string, page: number) {
  const pattern = `%${search.toLowerCase()}%`
  const counted = await pool.query(COUNT_MATCHES, [pattern])
  const { rows } = await pool.query(FIND_MATCHES, [SIZE, (page - 1) * SIZE, pattern])
  return { objects: rows, total: counted.rows[0].total, size: SIZE }
}
