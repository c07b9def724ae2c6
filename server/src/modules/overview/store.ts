import type { DailyTotals, Overview } from '@watchdesk/contract/overview'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { attentionQuery } from './attention.ts'
import { DAILY_TOTALS } from './totals.ts'

export function overviewStore({ read }: Pick<Deps, 'read'>) {
  return { get }

  async function get(actor: Actor): Promise<Overview> {
    const today = new Date().toISOString().slice(0, 10)
    const [[needed], days] = await Promise.all([
      read(actor, attentionQuery(actor, today)),
      read(actor, DAILY_TOTALS.$castTo<DailyTotals>()),
    ])
    if (!needed) throw new Error('The overview has no row')
    return { today, ...needed, days }
  }
}
