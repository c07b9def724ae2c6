import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../ui/format.ts'
import { wireAmount } from './values.ts'

type AmountFieldProps = {
  label: string
  required?: boolean
  value?: string
  onChange: (amount: string) => void
  onFocus?: () => void
  onBlur?: () => void
  error?: string
}

/** A whole number, written in groups of three unless one is typing. */
export function AmountField({ value = '', onChange, onFocus, onBlur, error, ...field }: AmountFieldProps) {
  const [isTyping, setTyping] = useState(false)
  return (
    <TextInput
      {...field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
      value={isTyping ? value : grouped(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
      onFocus={() => {
        setTyping(true)
        onFocus?.()
      }}
      onBlur={() => {
        setTyping(false)
        onBlur?.()
      }}
      error={error && inWords(error)}
    />
  )
}

function grouped(text: string) {
  const amount = wireAmount(text)
  return amount !== null && Number.isInteger(amount) && amount >= 0 ? formatNumber(amount) : text
}

/** The schema's own words speak of types. */
function inWords(error: string) {
  return /^(Invalid input|Too small)/.test(error) ? 'Must be a whole number, 0 or more.' : error
}
