import { isUniqueViolation } from '../../db/entity.ts'
import { conflict } from '../../problem.ts'

/** Records are locked before they are judged if others have changed them while an earlier attempt was at work. */
export type Lock = { locksFirst: boolean }

/** Somebody has changed a record since it was chosen: the transaction starts over, and locks the records first. */
export class ChangedMeanwhile extends Error {}

/** For the update of a user: somebody else got the email of one who is being restored. */
export function asChanged(error: unknown): never {
  throw isUniqueViolation(error, 'users_by_email') ? new ChangedMeanwhile() : error
}

/** If somebody changed a record meanwhile, the second attempt locks the records before it looks at them. */
export async function retryOnChange<Result>(work: (lock: Lock) => Promise<Result>) {
  try {
    return await work({ locksFirst: false })
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
  }
  try {
    return await work({ locksFirst: true })
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? conflict(OTHERS) : error
  }
}

const OTHERS = 'Others changed the same records at the same time. Check what will change and try again.'
