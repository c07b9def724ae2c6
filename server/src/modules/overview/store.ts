import type { DailyTotals, Overview } from '@watchdesk/contract/overview'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { attentionQuery } from './attention.ts'
import { DAILY_TOTALS } from './totals.ts'

export function overviewStore({ read }: Pick<Deps, 'read'>) {
  return { get }

  async function get(actor: Actor): Promise<Overview> {
    const days = await read(DAILY_TOTALS.$castTo<DailyTotals>())
    const today = days.at(-1)?.day
    if (today === undefined) throw new Error('The totals lack today')
    const [needed] = await read(attentionQuery(actor, today))
    if (!needed) throw new Error('The overview has no row')
    return { today, ...needed, days }
  }
}
