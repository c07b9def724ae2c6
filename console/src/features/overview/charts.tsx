import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { DailyTotals } from '@watchdesk/contract/overview'
import { formatCount, formatDay } from '../../ui/display/format.ts'
import type { LinkTarget } from '../../ui/navigation/back-link.ts'
import { withColumns } from '../saved-views/shared/with-columns.ts'
import { ChartCard } from './chart-card.tsx'
import classes from './charts.module.css'
import { addDays } from './scale.ts'
import { RANGES, type Range } from './search.ts'
import { importsChart, quotaChart, totalChart } from './series.ts'

const STORIES: LinkTarget = { to: '/imports', search: { kind: 'stories_import' } }

function quotaLink(quota: 'analytical_quota' | 'ai_quota'): LinkTarget {
  return { to: '/workspaces', search: { status: 'IN_USE', ...withColumns('workspaces', quota) } }
}

/** How the product was used in the last days. The days are in UTC, like those of all filters. */
export function Charts({ days: all, range }: { days: DailyTotals[]; range: Range }) {
  const to = all.at(-1)?.day ?? ''
  const from = addDays(to, 1 - range)
  const days = all.filter(({ day }) => day >= from)
  const lastComputed = days.findLast(({ is_computed }) => is_computed)
  const charts = [
    totalChart(days, 'users', { to: '/users' }),
    totalChart(days, 'sources', { to: '/sources' }),
    // Stories have no list.
    { ...totalChart(days, 'stories', STORIES), linkLabel: 'Imports of stories' },
    importsChart(days, { to: '/imports', search: { from: days[0]?.day } }),
    quotaChart(days, 'analytical_quota', quotaLink('analytical_quota')),
    quotaChart(days, 'ai_quota', quotaLink('ai_quota')),
  ]
  return (
    <section aria-labelledby="over-time">
      <div className={classes.heading}>
        <Title order={2} id="over-time">
          Over time
        </Title>
        <ul className={classes.ranges} aria-label="Days">
          {RANGES.map((days) => (
            <li key={days}>
              <Link
                to="/overview"
                search={{ days: days === RANGES[0] ? undefined : days }}
                replace
                resetScroll={false}
                className={classes.range}
                // Otherwise the link without a range would count as the current page.
                activeOptions={{ exact: true }}
                aria-current={days === range ? 'true' : undefined}
              >
                {formatCount(days, 'day')}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.charts}>
        {charts.map((chart) => (
          <ChartCard key={chart.label} {...chart} from={from} to={to} />
        ))}
      </div>
      <p className={classes.note}>
        Days are in UTC.
        {lastComputed &&
          ` Until ${formatDay(lastComputed.day)}, totals of some days are computed from the records that still exist, without those that were removed for good since.`}
      </p>
    </section>
  )
}
