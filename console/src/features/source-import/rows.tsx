import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, memo, useRef } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import { Code, Tag } from '../../ui/display/tag.tsx'
import { useVirtualList } from '../../ui/list/use-virtual-list.ts'
import { outcomeTone } from '../sheets/shared/outcomes.ts'
import type { OpenFile } from './open-file.ts'
import classes from './rows.module.css'
import { usePreviewRows } from './use-preview-rows.ts'
import type { Outcome, PreviewRow } from './worker/messages.ts'

const NARROW = '(max-width: 47.99em)'
const HEAD_PX = 38
const ROW_PX = 40
const CARD_PX = 66
const OVERSCAN = 8

type RowsProps = { opened: OpenFile; outcome: Outcome | undefined; total: number }

/** Nothing has been requested before the import. */
export function previewLabel(outcome: Outcome) {
  return outcome === 'requested' ? 'ready' : outcome
}

/** A virtual list: renders only the visible rows, out of any number. */
export function PreviewRows(props: RowsProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  // A different row height changes every scroll position, so the table is remounted.
  return <Rows key={String(isNarrow)} isNarrow={isNarrow} {...props} />
}

function Rows({ opened, outcome, total, isNarrow }: RowsProps & { isNarrow: boolean }) {
  const box = useRef<HTMLElement>(null)
  const rowHeight = isNarrow ? CARD_PX : ROW_PX
  const headHeight = isNarrow ? 0 : HEAD_PX
  const list = useVirtualList(box, { rows: total, rowHeight, headHeight, overscan: OVERSCAN })
  const { first, count } = list
  const rowAt = usePreviewRows(opened, outcome, list)
  const last = Math.min(first + count, total)
  return (
    <>
      <section
        ref={box}
        className={classes.box}
        aria-label="Rows of the file"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        data-cards={isNarrow || undefined}
        style={{ '--row': `${rowHeight}px`, '--head': `${headHeight}px` } as CSSProperties}
        onScroll={list.onScroll}
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
          <tbody className={classes.body} style={list.bodyStyle}>
            {list.indexes.map((index) => (
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
        <Tag tone={outcomeTone(outcome)}>{previewLabel(outcome)}</Tag>
      </td>
    </tr>
  )
})
