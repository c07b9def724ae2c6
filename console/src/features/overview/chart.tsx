import { type PointerEvent, useId, useState } from 'react'
import { formatDay } from '../../ui/display/format.ts'
import classes from './chart.module.css'
import { daysBetween, gridOf } from './scale.ts'

export type Point = { day: string; value: number }

export type ChartProps = {
  /** What is shown: 'Users'. */
  label: string
  /** At least one, in the order of the days. */
  points: Point[]
  /** The first and last day. There may be no points for the first ones. */
  from: string
  to: string
  kind: 'line' | 'bars'
  /** The values of the grid lines, if they do not follow from the points. */
  grid?: number[]
  format: (value: number) => string
  /** A text above the chart as long as no day is chosen. */
  hint?: string | undefined
}

const WIDTH = 1000
const HEIGHT = 100

/** A value per day. The value of a day is shown for the pointer, and for the arrow keys by a slider. */
export function Chart({ label, points, from, to, kind, format, hint = ' ', ...given }: ChartProps) {
  const id = useId()
  const [pointed, setPointed] = useState<number>()
  const [chosen, setChosen] = useState<number>()
  const days = daysBetween(from, to)
  const values = points.map(({ value }) => value)
  const grid = given.grid ?? gridOf(values, { fromZero: kind === 'bars' })
  const [low = 0, high = 1] = [grid[0], grid.at(-1)]
  const last = points.length - 1
  const active = pointed ?? chosen
  const shown = active === undefined ? undefined : points[Math.min(active, last)]

  /** From 0 to 1. Bars have a width. */
  const x = (day: string) =>
    kind === 'bars' ? (daysBetween(from, day) + 0.5) / (days + 1) : daysBetween(from, day) / Math.max(days, 1)
  const y = (value: number) => 1 - (value - low) / (high - low)

  function point({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    const distances = points.map(({ day }) => Math.abs(x(day) - (clientX - left) / width))
    setPointed(distances.indexOf(Math.min(...distances)))
  }

  return (
    <div className={classes.chart}>
      <p className={classes.value} aria-hidden={shown !== undefined}>
        {shown ? (
          <>
            <strong>{format(shown.value)}</strong> on {formatDay(shown.day)}
          </>
        ) : (
          hint
        )}
      </p>
      <div
        className={classes.plot}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        <input
          type="range"
          className={classes.slider}
          aria-label={`${label} by day`}
          aria-valuetext={textOf(points[Math.min(chosen ?? last, last)], format)}
          min={0}
          max={last}
          value={Math.min(chosen ?? last, last)}
          onChange={({ currentTarget }) => setChosen(currentTarget.valueAsNumber)}
          onFocus={() => setChosen((current) => current ?? last)}
          onBlur={() => setChosen(undefined)}
        />
        <svg
          role="img"
          aria-labelledby={id}
          className={classes.drawing}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <title id={id}>{summaryOf(label, points, format)}</title>
          {grid.map((line) => (
            <line key={line} className={classes.line} x1={0} x2={WIDTH} y1={y(line) * HEIGHT} y2={y(line) * HEIGHT} />
          ))}
          {kind === 'bars' ? (
            points.map(({ day, value }) => (
              <rect
                key={day}
                className={classes.bar}
                x={(x(day) - 0.35 / (days + 1)) * WIDTH}
                width={(0.7 / (days + 1)) * WIDTH}
                y={y(value) * HEIGHT}
                height={(1 - y(value)) * HEIGHT}
              />
            ))
          ) : (
            <path
              className={classes.path}
              d={`M${points.map(({ day, value }) => `${x(day) * WIDTH},${y(value) * HEIGHT}`).join('L')}`}
            />
          )}
        </svg>
        {grid.map((line) => (
          <span key={line} className={classes.tick} style={{ top: `${y(line) * 100}%` }} aria-hidden>
            {format(line)}
          </span>
        ))}
        {/* Not in the drawing, which is stretched. */}
        {(shown ? [shown] : kind === 'line' ? points.slice(-1) : []).map(({ day, value }) => (
          <span key={day} className={classes.dot} style={{ left: `${x(day) * 100}%`, top: `${y(value) * 100}%` }} />
        ))}
      </div>
      <p className={classes.ends} aria-hidden>
        <span>{formatDay(from)}</span>
        <span>Today</span>
      </p>
    </div>
  )
}

function textOf(point: Point | undefined, format: ChartProps['format']) {
  return point && `${formatDay(point.day)}: ${format(point.value)}`
}

/** The chart in words. */
function summaryOf(label: string, points: Point[], format: ChartProps['format']) {
  const sorted = points.toSorted((one, other) => one.value - other.value)
  const [first, last, lowest, highest] = [points[0], points.at(-1), sorted[0], sorted.at(-1)].map((each) =>
    textOf(each, format),
  )
  return `${label}. First: ${first}. Last: ${last}. Lowest: ${lowest}. Highest: ${highest}.`
}
