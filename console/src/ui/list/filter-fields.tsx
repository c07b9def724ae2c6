import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Select, TextInput } from '@mantine/core'
import type { Filter } from '@watchdesk/contract/list'
import classes from './filter-fields.module.css'
import { OptionList } from './option-list.tsx'

export type FieldProps = {
  /** On a phone, where all fields are in a sheet, below each other. */
  isInSheet: boolean
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** The field of a filter with few values. */
export function ChoiceField({ of, isInSheet, value, onChange }: FieldProps & { of: Filter }) {
  const { label, placeholder } = of
  const options = Object.entries(of.options).map(([key, text]) => ({ value: key, label: text }))
  if (!isInSheet) return <OptionList label={label} options={options} chosen={value} onChoose={onChange} />
  return (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      data={options}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

type DayFieldsProps = { isInSheet: boolean; from: DayProps; to: DayProps }

type DayProps = { label: string; value: string | undefined; onChange: (day: string | undefined) => void }

/** The fields of the first and the last day of a filter. */
export function DayFields({ isInSheet, from, to }: DayFieldsProps) {
  return (
    <div className={classes.days}>
      <Day {...from} max={to.value} isFocused={!isInSheet} />
      <Day {...to} min={from.value} />
      {from.value && to.value && from.value > to.value && (
        <p className="error-text" role="alert">
          The first day is after the last one.
        </p>
      )}
      <p className={classes.note}>Days are in UTC.</p>
    </div>
  )
}

type Limits = { min?: string | undefined; max?: string | undefined; isFocused?: boolean }

function Day({ label, value, onChange, min, max, isFocused }: DayProps & Limits) {
  return (
    <TextInput
      type="date"
      label={label}
      data-autofocus={isFocused || undefined}
      // Chosen once complete: a half-typed date has no value.
      value={value ?? ''}
      {...(min && { min })}
      {...(max && { max })}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  )
}
