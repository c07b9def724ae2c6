import { sql } from 'kysely'
import type { SystemDb } from '../db/open.ts'
import { createVerify, type Verify } from './verify.ts'

const FIRST_MS = 60 * 1000
const EVERY_MS = 60 * 60 * 1000

/** Proves what imports have stored whose server stopped after the commit and before the proof. */
export async function verifyImports(db: SystemDb, verify: Verify) {
  // Imports of the last minutes may be verified at this moment. Older ones have changed too much since.
  const { rows } = await sql<{ id: number }>`select id from imports
    where state = 'done' and verification is null and details ? 'sent' and not is_undone
      and finished_at between now() - interval '1 day' and now() - interval '1 minute'
    order by id`.execute(db)
  for (const { id } of rows) await verify(id)
}

/** Safe to run on every replica at the same time: an import is verified once. */
export function startVerifying(db: SystemDb, onError: (error: unknown) => void) {
  const verify = createVerify(db, onError)
  const run = () => void verifyImports(db, verify).catch(onError)
  const first = setTimeout(run, FIRST_MS).unref()
  const timer = setInterval(run, EVERY_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
