import { memo } from 'react'
import { Tag } from '../../../ui/display/tag.tsx'
import { webLink } from '../../../ui/display/web-link.ts'
import classes from './grid.module.css'
import { outcomeTone } from './outcomes.ts'

type RowProps = {
  id: string
  index: number
  /** Undefined while loading. */
  number: number | undefined
  cells: string[] | undefined
  header: string[]
  main: number
  note: number | undefined
  outcomeAt: number
  isActive: boolean
}

export const SheetRow = memo(function SheetRow({
  id,
  index,
  number,
  cells,
  header,
  main,
  note,
  outcomeAt,
  isActive,
}: RowProps) {
  return (
    <tr
      id={id}
      className={classes.row}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      aria-busy={cells === undefined}
      data-index={index}
    >
      {number === undefined ? (
        <td className={classes.number} />
      ) : (
        <th scope="row" className={classes.number}>
          {number}
        </th>
      )}
      {header.map((name, column) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: column names may repeat
          key={column}
          className={classes.cell}
          data-main={column === main || undefined}
          data-note={column === note || undefined}
          data-outcome={column === outcomeAt || undefined}
        >
          {cells ? (
            <Cell text={cells[column] ?? ''} isOutcome={column === outcomeAt} />
          ) : (
            <span className={classes.bone} style={{ width: `${40 + ((index * 7 + name.length * 13) % 45)}%` }} />
          )}
        </td>
      ))}
    </tr>
  )
})

function Cell({ text, isOutcome }: { text: string; isOutcome: boolean }) {
  if (isOutcome && text !== '') return <Tag tone={outcomeTone(text)}>{text}</Tag>
  const href = webLink(text)
  if (href === undefined) return text
  return (
    // Not in the tab order: Enter on the active row opens its link.
    <a href={href} target="_blank" rel="noopener noreferrer" tabIndex={-1}>
      {text}
    </a>
  )
}
