import type { Accounts } from './accounts.ts'
import type { WorkName } from './contender.ts'
import type { Growth } from './growth.ts'
import type { Results } from './results.ts'
import { barChart, lineChart } from './svg.ts'
import { OF_BASELINE } from './targets.ts'

/** The charts of docs/performance.md, as SVG, by name. Those without figures are left out. */
export function charts({ accounts, growth }: Results): Record<string, string> {
  return { ...(accounts && accountCharts(accounts)), ...(growth && growthCharts(growth)) }
}

function accountCharts({ works, ratios }: Accounts): Record<string, string> {
  const peers = [...new Set(Object.values(ratios).flatMap(Object.keys))].filter((name) => name !== 'Baseline')
  const baseline = barChart({
    title: 'Requests per second, divided by those of the baseline (10 connections)',
    series: ['Watchdesk; the line is the spread of the rounds, the dashed mark the target'],
    rows: entries(ratios).flatMap(([label, { Baseline }]) => {
      if (!Baseline) return []
      const target: Partial<Record<WorkName, number>> = OF_BASELINE
      return [
        {
          label,
          target: target[label],
          bars: [{ value: Baseline.median, text: String(Baseline.median), ...Baseline }],
        },
      ]
    }),
  })
  const cpu = barChart({
    title: 'CPU time per request, ms',
    series: ['Node', 'PostgreSQL', 'load generator'],
    isStacked: true,
    rows: entries(works).flatMap(([label, contenders]) =>
      ['Watchdesk', 'Baseline'].flatMap((name) => {
        const figures = contenders[name]
        if (!figures || figures.postgres > 10) return []
        const bars = [figures.server, figures.postgres, figures.client]
        return [
          {
            label: name === 'Watchdesk' ? label : 'baseline',
            bars: bars.map((value) => ({ value, text: String(value) })),
          },
        ]
      }),
    ),
  })
  if (peers.length === 0) return { baseline, cpu }
  const others = barChart({
    title: 'How many times as many requests per second as other admin servers (10 connections)',
    series: peers,
    isLogarithmic: true,
    rows: entries(ratios).map(([label, others]) => ({
      label,
      bars: peers.map((peer) => ({
        value: others[peer]?.median ?? 0,
        text: String(others[peer]?.median ?? 'missing'),
      })),
    })),
  })
  return { baseline, cpu, peers: others }
}

function growthCharts({ sizes, replicas }: Growth) {
  const works = [...new Set(sizes.map(({ work }) => work))]
  const users = [...new Set(sizes.map((point) => point.users))]
  const connections = [...new Set(sizes.map((point) => point.connections))]
  const most = Math.max(...users)
  const perSecond = (work: WorkName, rows: number, open: number) =>
    sizes.find((point) => point.work === work && point.users === rows && point.connections === open)?.perSecond
  const busiest = replicas.filter((point) => point.connections === Math.max(...connections))
  return {
    rows: lineChart({
      title: 'Requests per second by the number of users (10 connections)',
      labels: users.map((count) => `${count.toLocaleString('en')} users`),
      lines: works.map((name) => ({ name, values: users.map((count) => perSecond(name, count, 10)) })),
    }),
    connections: lineChart({
      title: `Requests per second by the number of connections (${most.toLocaleString('en')} users)`,
      labels: connections.map((count) => `${count} connection${count === 1 ? '' : 's'}`),
      lines: works.map((name) => ({ name, values: connections.map((count) => perSecond(name, most, count)) })),
    }),
    replicas: barChart({
      title: 'Requests per second with one and two servers on one database (50 connections, 2 cores)',
      series: ['one server', 'two servers'],
      rows: [...new Set(busiest.map(({ work }) => work))].map((label) => ({
        label,
        bars: busiest
          .filter(({ work }) => work === label)
          .map(({ perSecond }) => ({ value: perSecond, text: String(Math.round(perSecond)) })),
      })),
    }),
  }
}

function entries<Value>(record: Partial<Record<WorkName, Value>>) {
  return Object.entries(record) as [WorkName, Value][]
}
