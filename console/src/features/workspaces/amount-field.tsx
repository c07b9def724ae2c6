import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import { amountProblem, plainAmount } from './amount.ts'

type AmountFieldProps = {
  label: string
  required?: boolean
  value?: string
  onChange: (amount: string) => void
  onFocus?: () => void
  onBlur?: () => void
  error?: string
}

/**
 * A whole number as its digits: regrouping them on focus would lose the selection and move the cursor. What was typed in
 * groups is said below, as it was read.
 */
export function AmountField({ value = '', onChange, onBlur, error, ...field }: AmountFieldProps) {
  const [isLeft, setLeft] = useState(false)
  const [read, setRead] = useState<string>()
  const problem = amountProblem(value)
  return (
    <TextInput
      {...field}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(event) => {
        setLeft(false)
        setRead(undefined)
        onChange(event.currentTarget.value)
      }}
      onBlur={() => {
        setLeft(true)
        const plain = plainAmount(value)
        if (plain !== value) {
          if (plain !== value.trim()) setRead(plain)
          onChange(plain)
        }
        onBlur?.()
      }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={read !== undefined && read === value && !problem && `Read as ${formatNumber(Number(read))}`}
      // The schema's own words speak of types.
      error={isLeft || error ? (problem ?? error) : undefined}
    />
  )
}
