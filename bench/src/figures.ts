import type { Accounts } from './accounts.ts'
import type { AuditFigures } from './audit.ts'
import type { Growth, Point } from './growth.ts'
import type { Results } from './results.ts'
import type { SourceListFigures } from './source-list.ts'
import { verdicts, withSpread } from './targets.ts'
import type { UsersChangeFigures } from './users-change.ts'

/** The tables of docs/performance.md, by the name in their marker comment. Those without figures are left out. */
export function sections(results: Results): Record<string, string> {
  const { accounts, growth, audit, sourceList, usersChange } = results
  return {
    ...(accounts && {
      targets: targets(results, accounts),
      throughput: throughput(accounts),
      cpu: cpu(accounts),
      latency: latency(accounts),
    }),
    ...(growth && { growth: growthTable(growth) }),
    ...(audit && { audit: auditTable(audit) }),
    ...(sourceList && { 'source list': sourceTable(sourceList) }),
    ...(usersChange && { 'users change': usersChangeTable(usersChange) }),
  }
}

function targets(results: Results, { machine, missing }: Accounts) {
  const rows = verdicts(results).map(({ work, measured, target, verdict }) => [work, measured, target, verdict])
  return [
    `Measured on ${machine}.`,
    table(['Work', 'Measured (spread)', 'Target', ''], rows),
    missing.map(({ name, reason }) => `- Missing: ${name} (${reason})`).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function throughput({ works, ratios }: Accounts) {
  const names = [...new Set(Object.values(works).flatMap(Object.keys))]
  const rows = Object.entries(works).map(([work, contenders]) => [
    work,
    ...names.map((name) => {
      const perSecond = contenders[name]?.perSecond
      const ratio = ratios[work as keyof typeof ratios]?.[name]
      return perSecond === undefined ? 'missing' : `${short(perSecond)}${ratio ? ` · ${withSpread(ratio)}` : ''}`
    }),
  ])
  const hasPeers = names.some((name) => name !== 'Watchdesk' && name !== 'Baseline')
  return [
    image('baseline', 'Requests per second, divided by those of the baseline'),
    ...(hasPeers ? [image('peers', 'How many times as many requests per second as other admin servers')] : []),
    table(['', ...names], rows),
  ].join('\n\n')
}

function cpu({ works }: Accounts) {
  const rows = Object.entries(works).flatMap(([work, contenders]) =>
    ['Watchdesk', 'Baseline'].flatMap((name) => {
      const figures = contenders[name]
      if (!figures) return []
      const { perSecond, server, postgres, client } = figures
      const cores = [server, postgres, client].map((ms) => ((ms * perSecond) / 1000).toFixed(2))
      return [[work, name, server, postgres, client, ...cores, short(1000 / server)]]
    }),
  )
  const columns = ['Node', 'PostgreSQL', 'Load generator']
  const figures = table(
    [
      '',
      '',
      ...columns.map((name) => `${name}, ms`),
      ...columns.map((name) => `${name}, cores`),
      'Most per second of one server process',
    ],
    rows,
  )
  return [image('cpu', 'CPU time per request of Watchdesk and the baseline'), figures].join('\n\n')
}

function latency({ latency: { pages, filtered } }: Accounts) {
  return [
    table(
      ['Order', 'Page 1', 'Middle page', 'Last page'],
      Object.entries(pages).map(([order, { first, middle, last }]) => [order, first, middle, last]),
    ),
    table(['Filter', 'ms'], Object.entries(filtered)),
  ].join('\n\n')
}

function growthTable({ sizes, replicas }: Growth) {
  const users = [...new Set(sizes.map((point) => point.users))]
  const servers = [1, 2]
  return [
    image('rows', 'Requests per second by the number of users'),
    image('connections', 'Requests per second by the number of connections'),
    image('replicas', 'Requests per second with one and two servers'),
    table(
      ['Requests per second', 'Connections', ...users.map((count) => `${count.toLocaleString('en')} users`)],
      rowsBy(sizes, (point) => users.indexOf(point.users)),
    ),
    table(
      ['Requests per second, largest table', 'Connections', 'One server', 'Two servers'],
      rowsBy(replicas, (point) => servers.indexOf(point.replicas)),
    ),
  ].join('\n\n')
}

function auditTable({ machine, works }: AuditFigures) {
  const rows = Object.entries(works).map(([name, { ms, ratio }]) => [name, ms, ratio ? withSpread(ratio) : '1'])
  return [
    `Measured on ${machine}, with one connection.`,
    table(['Read', 'ms', 'Times the read by primary key (spread)'], rows),
  ].join('\n\n')
}

function sourceTable({ machine, works }: SourceListFigures) {
  const rows = Object.entries(works).map(([name, { ms, ofFirst, ofBaseline }]) => [
    name,
    ms,
    ofFirst ? withSpread(ofFirst) : '1',
    ofBaseline ? withSpread(ofBaseline) : '',
  ])
  return [
    `Measured on ${machine}, with one connection.`,
    table(['Page', 'ms', 'Times page 1 (spread)', 'Requests per second, of those of the baseline (spread)'], rows),
  ].join('\n\n')
}

function usersChangeTable({ machine, figures }: UsersChangeFigures) {
  const rows = Object.entries(figures).map(([name, figure]) => [
    name,
    typeof figure === 'number' ? figure.toLocaleString('en') : withSpread(figure),
  ])
  return [`Measured on ${machine}.`, table(['', ''], rows)].join('\n\n')
}

/** A row for each work and number of connections, with a column for each value of the third dimension. */
function rowsBy(points: Point[], columnOf: (point: Point) => number) {
  const columns = Math.max(...points.map(columnOf)) + 1
  const rows = new Map<string, string[]>()
  for (const point of points) {
    const key = `${point.work} | ${point.connections}`
    const row = rows.get(key) ?? Array.from({ length: columns }, () => 'rejected')
    row[columnOf(point)] = short(point.perSecond)
    rows.set(key, row)
  }
  return [...rows].map(([key, row]) => [key, ...row])
}

/** Three digits are more than two runs agree on. */
function short(value: number) {
  return value < 10 ? value.toFixed(1) : Number(value.toPrecision(3)).toLocaleString('en')
}

function image(name: string, title: string) {
  return `![${title}](images/performance-${name}.svg)`
}

function table(head: string[], rows: (string | number)[][]) {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
