import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, memo, useRef } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import { Code, Tag } from '../../ui/display/tag.tsx'
import { useScrolling } from '../../ui/list/use-scrolling.ts'
import { outcomeTone } from '../sheets/shared/outcomes.ts'
import type { Outcome, PreviewRow } from './read/messages.ts'
import type { Reading } from './reading.ts'
import classes from './rows.module.css'
import { usePreviewRows } from './use-preview-rows.ts'

const NARROW = '(max-width: 47.99em)'
const HEAD_PX = 38
const ROW_PX = 40
const CARD_PX = 66
/** Rows drawn beyond either end of the view. */
const SPARE = 8

type RowsProps = { reading: Reading; outcome: Outcome | undefined; total: number }

/** Draws the few rows that are in view, out of any number. */
export function PreviewRows(props: RowsProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  // Rows of another height are other places: the table starts anew.
  return <Rows key={String(isNarrow)} isNarrow={isNarrow} {...props} />
}

function Rows({ reading, outcome, total, isNarrow }: RowsProps & { isNarrow: boolean }) {
  const box = useRef<HTMLElement>(null)
  const rowHeight = isNarrow ? CARD_PX : ROW_PX
  const headHeight = isNarrow ? 0 : HEAD_PX
  const { first, count, height, offsetOf, scrolled } = useScrolling(box, { rows: total, rowHeight, headHeight })
  const from = Math.max(0, first - SPARE)
  const to = Math.min(total, first + count + 1 + SPARE)
  const rowAt = usePreviewRows(reading, outcome, { from, to })
  const last = Math.min(first + count, total)
  return (
    <>
      <section
        ref={box}
        className={classes.box}
        aria-label="Rows of the file"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keys
        tabIndex={0}
        data-cards={isNarrow || undefined}
        style={{ '--row': `${rowHeight}px`, '--head': `${headHeight}px` } as CSSProperties}
        onScroll={scrolled}
      >
        <table className={classes.table} aria-rowcount={total + 1}>
          <thead className={classes.head}>
            <tr className={classes.row} aria-rowindex={1}>
              <th scope="col" className={classes.number}>
                Row
              </th>
              <th scope="col">URL</th>
              <th scope="col">Country</th>
              <th scope="col">Platform</th>
              <th scope="col">Outcome</th>
            </tr>
          </thead>
          <tbody className={classes.body} style={{ height, paddingTop: offsetOf(from) }}>
            {between(from, to).map((index) => (
              <Row key={index} index={index} row={rowAt(index)} />
            ))}
          </tbody>
        </table>
      </section>
      <p className={classes.footer}>
        {formatNumber(Math.min(first + 1, total))}–{formatNumber(last)} of {formatNumber(total)}
      </p>
    </>
  )
}

function between(from: number, to: number) {
  return Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step)
}

const Row = memo(function Row({ index, row }: { index: number; row: PreviewRow | undefined }) {
  if (!row) {
    return (
      <tr className={classes.row} aria-rowindex={index + 2} aria-busy="true">
        <td className={classes.number} />
        <td className={classes.url}>
          <span className={classes.bone} style={{ width: `${35 + ((index * 7) % 40)}%` }} />
        </td>
      </tr>
    )
  }
  const { written, country, platform, outcome } = row
  const isNamed = country && country !== written.country
  return (
    <tr className={classes.row} aria-rowindex={index + 2}>
      <td className={classes.number}>{formatNumber(row.row)}</td>
      <td className={classes.url} title={written.url}>
        {written.url || <span className={classes.none}>no URL</span>}
      </td>
      <td className={classes.country} title={written.country || undefined}>
        {written.country}
        {isNamed && (
          <>
            {' '}
            <Code>{country}</Code>
          </>
        )}
      </td>
      <td className={classes.platform}>{platform && <Code>{platform}</Code>}</td>
      <td className={classes.outcome}>
        <Tag tone={outcomeTone(outcome)}>{outcome}</Tag>
      </td>
    </tr>
  )
})
