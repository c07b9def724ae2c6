import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Select, TextInput } from '@mantine/core'
import { WORKSPACE_STATUSES, type WorkspaceStatus } from '@watchdesk/contract/enums'
import { MAX_TRIAL_DAYS } from '@watchdesk/contract/limits'
import { formatNumber } from '../../ui/display/format.ts'
import type { FieldsProps } from '../operations/shared/bulk-operation.ts'
import { hasPassed, parseDay } from './day.ts'
import { DayField } from './day-field.tsx'
import { LABELS } from './labels.ts'

const NO_STATUS = 'none'
const STATUSES = [
  { value: NO_STATUS, label: 'No status' },
  ...WORKSPACE_STATUSES.map((value) => ({ value, label: value })),
]

export type StatusValues = { status: WorkspaceStatus | typeof NO_STATUS | null; trial_end_date: string }

export function StatusFields({ values, onChange, problem }: FieldsProps<StatusValues>) {
  const { status, trial_end_date } = values
  return (
    <>
      <Select
        label={LABELS.status}
        placeholder="Choose a status"
        data={STATUSES}
        allowDeselect={false}
        data-autofocus
        comboboxProps={{ withinPortal: true }}
        error={status === null && problem}
        value={status}
        onChange={(chosen) => onChange({ ...values, status: chosen as StatusValues['status'] })}
      />
      {status === 'TRIAL' && (
        <DayField
          label="Trial end date, if it changes"
          value={trial_end_date}
          onChange={(day) => onChange({ ...values, trial_end_date: day })}
          warning={(day) => (hasPassed(day) ? 'This date is in the past. The trial has already ended.' : undefined)}
          {...(problem && { error: problem })}
        />
      )}
      {status === 'DEACTIVATED' && (
        <p className="warning-box" style={{ margin: 0, padding: '0.625rem 0.75rem' }}>
          Their users are signed out at once and cannot sign in. Nothing is deleted: another status gives them access
          again.
        </p>
      )}
    </>
  )
}

export function statusProblem({ status, trial_end_date }: StatusValues) {
  if (status === null) return 'Choose a status.'
  const isWrong = status === 'TRIAL' && trial_end_date.trim() !== '' && parseDay(trial_end_date) === undefined
  return isWrong ? 'This is not a date.' : undefined
}

export function statusSet({ status, trial_end_date }: StatusValues) {
  const day = status === 'TRIAL' ? parseDay(trial_end_date) : undefined
  return {
    status: status === NO_STATUS ? null : status,
    ...(day !== undefined && { trial_end_date: `${day}T00:00:00` }),
  }
}

export function DaysField({ values, onChange, problem }: FieldsProps<string>) {
  return (
    <TextInput
      label="Days"
      description="From the last day of each trial, or from today if it has ended."
      inputMode="numeric"
      autoComplete="off"
      data-autofocus
      maxLength={5}
      error={problem}
      value={values}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export function daysProblem(text: string) {
  const days = Number(text)
  if (/^\d+$/.test(text.trim()) && days >= 1 && days <= MAX_TRIAL_DAYS) return
  return `Enter a number of days, from 1 to ${formatNumber(MAX_TRIAL_DAYS)}.`
}
