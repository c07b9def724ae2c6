import { memo, type ReactNode } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import { Code, Tag } from '../../ui/display/tag.tsx'
import { outcomeTone } from '../sheets/shared/outcomes.ts'
import { GRID_COLUMNS, type GridColumn, isEditable, type Move } from './cells.ts'
import classes from './grid.module.css'
import { TextEditor } from './text-editor.tsx'
import type { CountryPicker } from './use-country-picker.ts'
import type { Column, Outcome, PreviewRow } from './worker/messages.ts'

/** Nothing has been requested before the import. */
export function previewLabel(outcome: Outcome) {
  return outcome === 'requested' ? 'ready' : outcome
}

/** The cell that is to blame for an outcome. */
const AT_FAULT: Partial<Record<Outcome, Column>> = {
  'repeated in the file': 'url',
  'unsupported platform': 'url',
  'invalid URL': 'url',
  'unknown country': 'country',
}

type RowProps = {
  index: number
  row: PreviewRow | undefined
  cellId: (index: number, column: GridColumn) => string
  active: GridColumn | undefined
  editing: { column: Column; isTyped: boolean } | undefined
  /** Undefined until it has loaded: then the country is a text. */
  picker: CountryPicker | undefined
  onFinish: (text: string | undefined, move: Move) => void
}

export const Row = memo(function Row({ index, row, cellId, active, editing, picker, onFinish }: RowProps) {
  const cell = (column: GridColumn) => ({
    id: cellId(index, column),
    className: classes[column],
    'data-column': column,
    'data-active': active === column || undefined,
    'aria-colindex': GRID_COLUMNS.indexOf(column) + 1,
    'aria-selected': active === column,
    'aria-readonly': !isEditable(column) || undefined,
  })
  if (!row) {
    return (
      <tr className={classes.line} aria-rowindex={index + 2} aria-busy="true">
        <td className={classes.row} />
        <td className={classes.url}>
          <span className={classes.bone} style={{ width: `${35 + ((index * 7) % 40)}%` }} />
        </td>
      </tr>
    )
  }
  const { written, country, platform, outcome, isFixed } = row
  const isSkipped = outcome === 'skipped'
  const isNamed = country && country !== written.country
  const label = isFixed ? 'fixed' : previewLabel(outcome)

  function editable(column: Column, children: ReactNode) {
    const isEdited = row?.before[column] !== undefined
    const suggestion = row?.suggestions[column]
    const editor = {
      label: `${column === 'url' ? 'URL' : 'Country'} of row ${row?.row}`,
      text: written[column],
      onFinish,
    }
    return (
      <td
        {...cell(column)}
        title={isEdited ? `In the file: ${row?.before[column] || 'empty'}` : written[column] || undefined}
        aria-invalid={AT_FAULT[outcome] === column || undefined}
        data-edited={isEdited || undefined}
      >
        {editing?.column === column ? (
          <div className={classes.editor} data-editor>
            {column === 'country' && picker ? (
              <picker.Editor {...editor} isTyped={editing.isTyped} countries={picker.countries} />
            ) : (
              <TextEditor {...editor} isTyped={editing.isTyped} />
            )}
          </div>
        ) : (
          <>
            <span className={classes.text}>{children}</span>
            {suggestion !== undefined && (
              // Not in the tab order: Ctrl+Enter in the cell does the same.
              <button type="button" className={classes.suggestion} tabIndex={-1} data-action="accept">
                <span aria-hidden="true">→ </span>
                <span className="visually-hidden">Use </span>
                {suggestion}
              </button>
            )}
          </>
        )}
      </td>
    )
  }

  return (
    <tr className={classes.line} aria-rowindex={index + 2} data-at={index} data-skipped={isSkipped || undefined}>
      <th {...cell('row')} scope="row">
        {formatNumber(row.row)}
      </th>
      {editable('url', written.url || <span className={classes.none}>no URL</span>)}
      {editable(
        'country',
        <>
          {written.country}
          {isNamed && (
            <>
              {' '}
              <Code>{country}</Code>
            </>
          )}
        </>,
      )}
      <td {...cell('platform')}>{platform && <Code>{platform}</Code>}</td>
      <td {...cell('outcome')} title={row.repeats === undefined ? undefined : `Same source as row ${row.repeats}`}>
        <Tag tone={isFixed ? 'teal' : isSkipped ? 'plain' : outcomeTone(outcome)}>{label}</Tag>
      </td>
      <td {...cell('skip')}>
        {(outcome !== 'requested' || active !== undefined) && (
          <button type="button" className={classes.action} tabIndex={-1} data-action="skip">
            {isSkipped ? 'Keep' : 'Skip'}
            <span className="visually-hidden"> row {row.row}</span>
          </button>
        )}
      </td>
    </tr>
  )
})
