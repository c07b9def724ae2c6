import { readdirSync, readFileSync } from 'node:fs'

const INTERVAL_MS = 500
/** Of what /proc counts, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/**
 * Measures the processor time of a process and of all that it starts, also of those that outlive it. Call the result for
 * the seconds so far. Only on Linux; elsewhere they are undefined.
 */
export function measureProcessorTime(pid) {
  if (process.platform !== 'linux') return { seconds: () => undefined, stop() {} }
  const meter = createMeter(pid)
  const look = () => meter.add(readProcesses())
  look()
  const timer = setInterval(look, INTERVAL_MS)
  return {
    seconds() {
      look()
      return meter.ticks() / TICKS_PER_SECOND
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Adds up what grows from one look to the next. The time of a process that ended is in that of the parent which waited for
 * it; if none did, it disappears, and counts all the same, because it was counted when it grew.
 */
export function createMeter(pid) {
  let family = new Set()
  let before = 0
  let total = 0
  return {
    add(processes) {
      const members = new Set()
      // Parents come first, except where process ids started again from 1.
      for (const { id, pid: own, parent } of processes) {
        if (own === pid || family.has(id) || members.has(parent)) members.add(id).add(own)
      }
      family = members
      const now = processes.filter(({ id }) => members.has(id)).reduce((sum, { ticks }) => sum + ticks, 0)
      total += Math.max(0, now - before)
      before = now
    },
    ticks: () => total,
  }
}

function readProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [parseStat(readFileSync(`/proc/${name}/stat`, 'utf8'))]
      } catch {
        return [] // It ended meanwhile.
      }
    })
    .sort((a, b) => a.started - b.started || a.pid - b.pid)
}

/** Process ids are reused, so the time of the start is part of the identity. */
export function parseStat(stat) {
  const pid = Number.parseInt(stat, 10)
  // The name of the program, in brackets, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent, started] = [Number(fields[1]), Number(fields[19])]
  // Its own time and that of the children which it waited for, in user and in system mode.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { id: `${pid}/${started}`, pid, parent, started, ticks }
}
