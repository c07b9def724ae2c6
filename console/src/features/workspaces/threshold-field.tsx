import '@mantine/core/styles/Slider.layer.css'
import { Slider } from '@mantine/core'
import { SIMILARITY } from '@watchdesk/contract/limits'
import { type ReactNode, useId, useRef } from 'react'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { formatThreshold } from './fields.ts'
import classes from './threshold-field.module.css'

type ThresholdFieldProps = {
  label: string
  value?: number | null
  onChange: (value: number | null) => void
  error?: string
  /** Another button next to the label. */
  tool?: ReactNode
  'data-path'?: string
}

const MARKS = [SIMILARITY.min, 0.5, SIMILARITY.max].map((value) => ({ value, label: String(value) }))

/** A similarity from 0 to 1, or none. */
export function ThresholdField({ label, value = null, onChange, error, tool, ...path }: ThresholdFieldProps) {
  const errorId = useId()
  const canChange = useCanChange()
  const field = useRef<HTMLDivElement>(null)
  const text = value === null ? 'Not set' : formatThreshold(value)

  function clear() {
    onChange(null)
    // The button disappears, and the focus would be lost with it.
    field.current?.querySelector<HTMLElement>('[role="slider"]')?.focus()
  }

  return (
    <div ref={field}>
      <div className={classes.head}>
        <span className={classes.label}>{label}</span>
        <span className={classes.value} data-empty={value === null || undefined}>
          {text}
        </span>
        {canChange && value !== null && (
          <button type="button" className={classes.clear} aria-label={`Clear ${label.toLowerCase()}`} onClick={clear}>
            Clear
          </button>
        )}
        {canChange && tool}
      </div>
      <Slider
        {...SIMILARITY}
        disabled={!canChange}
        className={classes.slider}
        value={value ?? SIMILARITY.min}
        onChange={onChange}
        marks={MARKS}
        label={null}
        thumbLabel={label}
        thumbValueText={text}
        thumbProps={{ 'aria-describedby': error && errorId, ...path }}
        data-empty={value === null || undefined}
      />
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  )
}
