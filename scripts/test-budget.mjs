/**
 * Seconds of processor time on the machine that runs CI, per part of `npm test`, and of what only `npm run test:all` adds.
 * CI fails when a part takes more than twice as long.
 */
const BUDGET = {
  test: {
    types: 35,
    lint: 20,
    'dead code': 10,
    'unit and API': 420,
    components: 370,
    journeys: 280,
    'other browser': 50,
    'starting as root': 150,
  },
  rest: {
    'complete unit and API': 1100,
    components: 160,
    journeys: 300,
  },
}
const GREW = 1.15
const TOO_MUCH = 2

/** The budget of a part in a run of `test`, `rest` or both. */
export function budgetOf(part, groups) {
  return groups.reduce((sum, group) => sum + (BUDGET[group][part] ?? 0), 0)
}

/** A table of what each part took, and the parts that took more than their budget, or far more. */
export function compareWithBudget(parts) {
  const rows = parts.map(({ name, wall, processor, budget }) => [
    name,
    minutes(wall),
    processor === undefined ? '?' : `${Math.round(processor)} s`,
    budget ? `${budget} s` : '',
  ])
  const over = (factor) => parts.filter(({ processor, budget }) => budget && processor > factor * budget)
  return {
    table: table([['', 'wall', 'processor', 'budget'], ...rows]),
    grown: over(GREW).map(describe),
    excessive: over(TOO_MUCH).map(describe),
  }
}

export function minutes(seconds) {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function describe({ name, processor, budget }) {
  return `${name} took ${Math.round(processor)} s of processor time, ${Math.round((processor / budget) * 100)} % of its budget`
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  )
}
