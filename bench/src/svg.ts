const WIDTH = 760
const LEFT = 200
const RIGHT = 150
const TOP = 56
const BAR = 16
const COLOURS = [
  ['#2563eb', '#7aa2ff'],
  ['#b45309', '#f0a94a'],
  ['#047857', '#4fd1a1'],
  ['#7c3aed', '#b99bff'],
  ['#be123c', '#ff8fa3'],
  ['#0e7490', '#5cc8de'],
  ['#4b5563', '#b6bdc9'],
]

type Bar = { value: number; text: string; lowest?: number; highest?: number }
type BarChart = {
  title: string
  /** One colour each. */
  series: string[]
  /** The bars of a row are in the order of the series, stacked or below each other. */
  rows: { label: string; bars: Bar[]; target?: number }[]
  isStacked?: boolean
  isLogarithmic?: boolean
}

/** Horizontal bars, with a line for the spread and a mark for the target. */
export function barChart({ title, series, rows, isStacked, isLogarithmic }: BarChart) {
  const all = rows.flatMap(({ bars, target = 0 }) => [
    target,
    isStacked ? bars.reduce((sum, { value }) => sum + value, 0) : 0,
    ...bars.flatMap(({ value, highest = value }) => [value, highest]),
  ])
  const most = Math.max(...all)
  const least = Math.min(...all.filter((value) => value > 0))
  const scale = isLogarithmic ? logarithmic(Math.min(1, least), most) : (value: number) => value / most
  const x = (value: number) => LEFT + scale(value) * (WIDTH - LEFT - RIGHT)
  const parts: string[] = []
  let y = TOP
  for (const { label, bars, target } of rows) {
    const height = isStacked ? BAR + 4 : bars.length * BAR
    parts.push(text(LEFT - 10, y + height / 2 + 4, label, 'end'))
    let from = 0
    for (const [index, { value, text: caption, lowest, highest }] of bars.entries()) {
      const at = isStacked ? y : y + index * BAR
      parts.push(rectangle(x(from), at + 1, x(from + value) - x(from), (isStacked ? height : BAR) - 2, index))
      if (lowest !== undefined && highest !== undefined)
        parts.push(line(x(lowest), at + BAR / 2, x(highest), at + BAR / 2))
      if (!isStacked) parts.push(text(x(Math.max(value, highest ?? 0, target ?? 0)) + 6, at + BAR - 4, caption))
      if (isStacked) from += value
    }
    if (isStacked) parts.push(text(x(from) + 6, y + height / 2 + 4, bars.map((bar) => bar.text).join(' + ')))
    if (target !== undefined) parts.push(line(x(target), y - 2, x(target), y + height + 2, 'target'))
    y += height + 12
  }
  return picture(title, y + 4, [...legend(series), ...parts])
}

type LineChart = { title: string; labels: string[]; lines: { name: string; values: (number | undefined)[] }[] }

/** Lines over a few labelled points, with a logarithmic scale. Values that were not measured are left out. */
export function lineChart({ title, labels, lines }: LineChart) {
  const values = lines.flatMap((one) => one.values.filter((value) => value !== undefined))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const scale = logarithmic(least, most)
  const [left, right, bottom] = [70, 250, 340]
  const x = (index: number) => left + (index / (labels.length - 1)) * (WIDTH - left - right)
  const y = (value: number) => bottom - scale(value) * (bottom - TOP)
  const parts: string[] = []
  for (const tick of ticks(least, most)) {
    parts.push(line(left, y(tick), WIDTH - right, y(tick), 'grid'))
    parts.push(text(left - 8, y(tick) + 4, tick.toLocaleString('en'), 'end'))
  }
  for (const [index, label] of labels.entries()) parts.push(text(x(index), bottom + 24, label, 'middle'))
  const drawn = lines.map(({ name, values }) => ({
    name,
    points: values.flatMap((value, index) => (value === undefined ? [] : [{ x: x(index), y: y(value) }])),
  }))
  const places = apart(drawn.map(({ points }) => points[points.length - 1]?.y ?? bottom))
  for (const [index, { name, points }] of drawn.entries()) {
    const path = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ')
    parts.push(`<polyline class="line s${index}" points="${path}"/>`)
    for (const point of points) parts.push(circle(point.x, point.y, index))
    parts.push(text(WIDTH - right + 12, (places[index] ?? 0) + 4, name, 'start', `t${index}`))
  }
  return picture(title, bottom + 44, parts)
}

function logarithmic(least: number, most: number) {
  const [low, high] = [Math.floor(Math.log10(least)), Math.log10(most)]
  return (value: number) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low || 1)
}

function ticks(least: number, most: number) {
  const first = Math.floor(Math.log10(least))
  return Array.from({ length: Math.floor(Math.log10(most)) - first + 1 }, (_, index) => 10 ** (first + index))
}

/** The same places, moved down where they would overlap. */
function apart(places: number[]) {
  const result = [...places]
  let lowest = Number.NEGATIVE_INFINITY
  for (const [index, place] of [...places.entries()].sort((a, b) => a[1] - b[1])) {
    lowest = Math.max(place, lowest + 17)
    result[index] = lowest
  }
  return result
}

function legend(series: string[]) {
  let x = LEFT
  return series.flatMap((name, index) => {
    const parts = [rectangle(x, 34, 10, 10, index), text(x + 15, 43, name)]
    x += 30 + name.length * 7
    return parts
  })
}

function rectangle(x: number, y: number, width: number, height: number, colour: number) {
  return `<rect class="s${colour}" x="${x.toFixed(1)}" y="${y}" width="${Math.max(width, 1).toFixed(1)}" height="${height}" rx="2"/>`
}

function circle(x: number, y: number, colour: number) {
  return `<circle class="s${colour}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4"/>`
}

function line(x1: number, y1: number, x2: number, y2: number, kind = 'spread') {
  return `<line class="${kind}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`
}

function text(x: number, y: number, content: string, anchor = 'start', kind = '') {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped}</text>`
}

function picture(title: string, height: number, parts: string[]) {
  const colours = (shade: 0 | 1) =>
    COLOURS.map(
      (pair, index) =>
        `.s${index}{fill:${pair[shade]};stroke:none}.line.s${index}{stroke:${pair[shade]};fill:none}.t${index}{fill:${pair[shade]}}`,
    )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">
<style>
text{font:12px system-ui,sans-serif;fill:#1f2937}.title{font-weight:600;font-size:14px}.back{fill:#fff}
.line{stroke-width:2}.spread{stroke:#111827;stroke-width:1.5}.target{stroke:#111827;stroke-width:2;stroke-dasharray:3 2}.grid{stroke:#e5e7eb}
${colours(0).join('\n')}
@media(prefers-color-scheme:dark){
text{fill:#e5e7eb}.back{fill:#161b22}.spread,.target{stroke:#f9fafb}.grid{stroke:#30363d}
${colours(1).join('\n')}
}
</style>
<rect class="back" width="${WIDTH}" height="${height}" rx="8"/>
${text(20, 24, title, 'start', 'title')}
${parts.join('\n')}
</svg>
`
}
