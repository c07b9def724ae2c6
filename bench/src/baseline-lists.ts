import type { Pool } from 'pg'
import { COUNT_MATCHES, FIND_MATCHES, LIST_USERS, type Sort } from './baseline-sql.ts'

const SIZE = 20

/** A page of users with the exact total, in one statement. */
export async function usersPage(pool: Pool, sort: Sort, page: number) {
  const { rows } = await pool.query({ ...LIST_USERS[sort], values: [(page - 1) * SIZE, SIZE] })
  const objects = rows.map(({ list_total: _, place: __, ...user }) => user)
  return { objects, total: rows[0].list_total, size: SIZE }
}

/** All matches are counted, then the page is read. */
export async function foundUsers(pool: Pool, search: string, page: number) {
  const pattern = `%${search.toLowerCase()}%`
  const counted = await pool.query(COUNT_MATCHES, [pattern])
  const { rows } = await pool.query(FIND_MATCHES, [SIZE, (page - 1) * SIZE, pattern])
  return { objects: rows, total: counted.rows[0].total, size: SIZE }
}
