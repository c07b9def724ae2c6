import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import type { AuditEntity, EarlierRecord } from '@watchdesk/contract/activity'
import type { ReactNode } from 'react'
import classes from './put-back.module.css'
import changes from './shared/changes.module.css'
import { labelOf } from './shared/labels.ts'
import { type ChangedRow, rowsOf } from './shared/rows.ts'
import { cellsOf, useNames } from './shared/values.tsx'

type Field = EarlierRecord['fields'][number]

type PutBackFieldsProps = {
  entity: AuditEntity
  fields: Field[]
  chosen: string[]
  /** One field needs no checkbox. */
  isSingle: boolean
  onChange: (field: string, isChosen: boolean) => void
}

/** The fields that would change, each with its value now and then. */
export function PutBackFields({ entity, fields, chosen, isSingle, onChange }: PutBackFieldsProps) {
  const rows = fields.map((field) => rowsOf(entity, { [field.field]: { before: field.current, after: field.earlier } }))
  const nameOf = useNames(rows.flat())
  return (
    <div className={classes.fields}>
      <table className={changes.table} aria-label="What will change">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Now</th>
            <th scope="col">Will be</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, note, problem }, index) => {
            const cells = (rows[index] ?? []).map((row) => ({ row, ...cellsOf(entity, row, nameOf) }))
            const label = labelOf(entity, field)
            return (
              <tr key={field}>
                <th scope="row">
                  {isSingle ? (
                    label
                  ) : (
                    <Checkbox
                      label={label}
                      checked={chosen.includes(field)}
                      disabled={problem !== null}
                      onChange={(event) => onChange(field, event.currentTarget.checked)}
                    />
                  )}
                </th>
                <td data-heading="Now">
                  {cells.map(({ row, before }) => (
                    <Part key={row.path} row={row} value={before} />
                  ))}
                </td>
                <td data-heading="Will be">
                  {cells.map(({ row, after }) => (
                    <Part key={row.path} row={row} value={after} />
                  ))}
                  {note && <p className={classes.note}>{note}</p>}
                  {problem && <p className={classes.reason}>{problem}</p>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** A value; for a part of a field, such as the limit of a quota, with its label. */
function Part({ row, value }: { row: ChangedRow; value: ReactNode }) {
  return (
    <div>
      {row.path !== row.field && <span className={changes.soft}>{row.label}: </span>}
      {value}
    </div>
  )
}
