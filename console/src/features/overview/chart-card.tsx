import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { formatDay } from '../../ui/display/format.ts'
import { Chart } from './chart.tsx'
import classes from './charts.module.css'
import type { Series } from './series.ts'

type ChartCardProps = Series & { from: string; to: string }

/** A number, how it came about, and the same as a table on request. */
export function ChartCard({ number, unit, note, link, linkLabel, ...chart }: ChartCardProps) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  const count = (
    <>
      {number} <span className={classes.unit}>{unit}</span>
    </>
  )
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.top}>
        <Title order={3} id={id} className={classes.label}>
          {chart.label}
        </Title>
        <button type="button" className={classes.toggle} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show chart' : 'Show as table'}
          <span className="visually-hidden"> of {chart.label}</span>
        </button>
      </div>
      <p className={classes.number}>
        {linkLabel ? (
          count
        ) : (
          <Link {...link} className={classes.link}>
            {count}
          </Link>
        )}
      </p>
      <p className={classes.change}>
        {note}
        {linkLabel && (
          <>
            {' · '}
            <Link {...link}>{linkLabel}</Link>
          </>
        )}
      </p>
      {isTable ? <ValueTable {...chart} /> : <Chart {...chart} />}
    </section>
  )
}

/** The newest day first. */
function ValueTable({ label, points, format }: Pick<Series, 'label' | 'points' | 'format'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
    <section className={classes.values} aria-label={`${label} by day`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{label}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ day, value }) => (
            <tr key={day}>
              <td>{formatDay(day)}</td>
              <td>{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
