import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ChoiceField } from './filter-fields.tsx'
import classes from './preset-fields.module.css'

type PresetsProps = {
  label: string
  /** The values and their labels. */
  options: Readonly<Record<string, string>>
  value: string | undefined
  onChange: (value: string | undefined) => void
  isInSheet: boolean
  /** For other values. */
  children?: ReactNode
}

/** A few values to choose from, and below them fields for others. */
export function Presets({ label, options, value, onChange, isInSheet, children }: PresetsProps) {
  return (
    <div className={classes.presets}>
      {isInSheet ? (
        <ChoiceField of={{ label, placeholder: 'All', options }} isInSheet value={value} onChange={onChange} />
      ) : (
        <fieldset className={classes.choices} aria-label={label}>
          {Object.entries(options).map(([key, text], index) => (
            <button
              key={key}
              type="button"
              className={classes.choice}
              aria-pressed={key === value}
              data-autofocus={index === 0 || undefined}
              onClick={() => onChange(key)}
            >
              {text}
            </button>
          ))}
        </fieldset>
      )}
      {children && <div className={classes.more}>{children}</div>}
    </div>
  )
}

type BoxesProps = {
  label: string
  /** Whether the label is visible. */
  isLabelled?: boolean
  /** Values and labels. A list, because the keys of an object are sorted if they are numbers. */
  options: readonly (readonly [value: string, label: string])[]
  value: string[]
  onChange: (value: string[]) => void
}

/** Several values. */
export function Boxes({ label, isLabelled = false, options, value, onChange }: BoxesProps) {
  return (
    <fieldset className={classes.boxes}>
      <legend className={isLabelled ? classes.legend : 'visually-hidden'}>{label}</legend>
      {options.map(([key, text], index) => (
        <label key={key} className={classes.box}>
          <input
            type="checkbox"
            data-autofocus={index === 0 || undefined}
            checked={value.includes(key)}
            onChange={() => onChange(value.includes(key) ? value.filter((other) => other !== key) : [...value, key])}
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}

type PercentFieldProps = { label: string; value: number | undefined; onChange: (value: number) => void }

/** A percentage, which is set when it has been entered. */
export function PercentField({ label, value, onChange }: PercentFieldProps) {
  const [text, setText] = useState(value ? String(value) : '')
  const percent = /^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : undefined
  return (
    <form
      className={classes.percent}
      onSubmit={(event) => {
        event.preventDefault()
        if (percent !== undefined) onChange(percent)
      }}
    >
      <TextInput
        label={label}
        inputMode="numeric"
        value={text}
        error={text !== '' && percent === undefined && 'Enter a whole number from 0 to 100.'}
        onChange={({ currentTarget }) => setText(currentTarget.value.trim())}
      />
      <Button type="submit" variant="default" disabled={percent === undefined}>
        Apply
      </Button>
    </form>
  )
}
