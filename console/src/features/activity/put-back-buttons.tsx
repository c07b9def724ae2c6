import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import type { AuditAction, AuditEvent } from '@watchdesk/contract/activity'
import classes from './panel.module.css'
import type { Then } from './put-back.tsx'
import type { Side } from './shared/history-queries.ts'
import { labelOf } from './shared/labels.ts'
import { type ChangedRow, rowsOf } from './shared/rows.ts'

/** The sides of an event at which the record exists. */
const SIDES: Partial<Record<AuditAction, Side[]>> = {
  create: ['after'],
  update: ['before', 'after'],
  put_back: ['before', 'after'],
  renew: ['before', 'after'],
  delete: ['before'],
  restore: ['after'],
}

type FieldProps = { event: AuditEvent; row: ChangedRow; onClick: (then: Then) => void }

/**
 * A password is never kept. The others are numbers: of the workspaces of a dashboard, each of which keeps what it was
 * before, and of what a user could sign in with.
 */
const NEVER_PUT_BACK = ['password', 'workspaces', 'sessions', 'tokens', 'second_factors']

/** Puts one field back to what it was before the event. */
export function PutBackField({ event, row: { field, path }, onClick }: FieldProps) {
  const canPutBack = SIDES[event.action]?.length === 2 && !NEVER_PUT_BACK.includes(field)
  if (!canPutBack || path !== firstPath(event, field)) return null
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Put back ${labelOf(event.entity, field)}`}
      onClick={() => onClick({ event, side: 'before', field })}
    >
      Put back
    </Button>
  )
}

/** A field with parts, such as a quota, is put back as a whole, so it has one button. */
function firstPath({ entity, changes }: AuditEvent, field: string) {
  const change = changes[field]
  return change && rowsOf(entity, { [field]: change })[0]?.path
}

type RecordProps = { event: AuditEvent; isNewest: boolean; onClick: (then: Then) => void }

/** Puts the whole record back. After its newest change, it is as it is now. */
export function PutBackRecord({ event, isNewest, onClick }: RecordProps) {
  const sides = SIDES[event.action]?.filter((side) => !(isNewest && side === 'after')) ?? []
  if (sides.length === 0) return null
  return (
    <div className={classes.record}>
      Put everything back to how it was
      {sides.map((side) => (
        <Button key={side} variant="default" size="compact-sm" onClick={() => onClick({ event, side })}>
          {side === 'before' ? 'Before this change' : 'After this change'}
        </Button>
      ))}
    </div>
  )
}
