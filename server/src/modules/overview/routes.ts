import * as contract from '@watchdesk/contract/overview'
import * as schemas from '@watchdesk/contract/overview.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { attentionQuery } from './attention.ts'
import { DAILY_TOTALS } from './daily-totals.ts'

export function overviewRoutes(app: App, { read }: Deps) {
  addRoutes(app, contract, schemas, {
    async getOverview({ actor }) {
      const days = await read(DAILY_TOTALS.$castTo<contract.DailyTotals>())
      const today = days.at(-1)?.day
      if (today === undefined) throw new Error('The totals lack today')
      const [needed] = await read(attentionQuery(actor, today))
      if (!needed) throw new Error('The overview has no row')
      return { today, ...needed, days }
    },
  })
}
