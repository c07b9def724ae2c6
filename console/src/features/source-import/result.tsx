import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import { RecordedOperation } from '../operations/shared/operation-links.tsx'
import { outcomeCount, outcomeTone } from '../sheets/shared/outcomes.ts'
import { SheetLink } from '../sheets/shared/sheet-link.tsx'
import classes from './result.module.css'
import type { Imported } from './use-import.ts'

export function Result({ name, skipped = 0, result }: Imported) {
  const { error_message, requested_count, inputs_count, created_sheet_url, outcomes = {} } = result
  if (error_message) {
    return <Failed lines={[error_message]}>{created_sheet_url && <SheetLink sheet={created_sheet_url} />}</Failed>
  }
  const isNothingNew = requested_count === 0
  return (
    <Card kind={isNothingNew ? 'nothing' : 'success'} role="status">
      {isNothingNew && <p className={classes.line}>No new sources</p>}
      <p className={classes.line}>
        {SOURCE_IMPORT_MESSAGES.requested(requested_count, inputs_count)}{' '}
        {created_sheet_url && <SheetLink sheet={created_sheet_url}>Open the created sheet</SheetLink>}
      </p>
      <p className={classes.soft}>
        {skipped > 0 ? `${name}. ${formatCount(skipped, 'row')} skipped in the preview.` : name}
      </p>
      {Object.keys(outcomes).length > 0 && (
        <ul className={classes.outcomes} aria-label="Outcomes">
          {Object.entries(outcomes).map(([outcome, count]) => (
            <li key={outcome}>
              <Tag tone={outcomeTone(outcome)}>{outcomeCount(outcome, count)}</Tag>
            </li>
          ))}
        </ul>
      )}
      <RecordedOperation {...result} />
    </Card>
  )
}

export function Failed({ lines, children }: { lines: string[]; children?: ReactNode }) {
  return (
    <Card kind="error" role="alert">
      {lines.map((line) => (
        <p key={line} className={classes.line}>
          {line}
        </p>
      ))}
      {children}
    </Card>
  )
}

const ICONS = { success: 'check', nothing: 'info', error: 'alert' } as const

type CardProps = { kind: keyof typeof ICONS; role: 'status' | 'alert'; children: ReactNode }

function Card({ kind, role, children }: CardProps) {
  const card = useRef<HTMLDivElement>(null)
  // The submit button may have been far down the page, and its focus is lost.
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={card} className={classes.card} data-kind={kind} role={role} tabIndex={-1}>
      <Icon name={ICONS[kind]} size={20} />
      <div className={classes.words}>{children}</div>
    </div>
  )
}
