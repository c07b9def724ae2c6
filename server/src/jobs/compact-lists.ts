import { compactLists } from '../db/compact-lists.ts'
import type { SystemDb } from '../db/open.ts'
import { repeat } from './repeat.ts'

const EVERY_MS = 2000

/** Keeps lists fast while their tables change. Safe to run on every replica at the same time. */
export function startCompacting(db: SystemDb, onError: (error: unknown) => void) {
  return repeat(EVERY_MS, () => compactLists(db), onError)
}
