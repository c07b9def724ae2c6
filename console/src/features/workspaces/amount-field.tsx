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
  error?: string | undefined
  'data-autofocus'?: true | undefined
}

/**
 * A whole number, shown as plain digits: grouping them on focus would lose the selection and move the cursor. If it was
 * typed with separators, the value that was read is shown below.
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
      description={read !== undefined && read === value && !problem && `Will be saved as ${formatNumber(Number(read))}`}
      // The schema's own message is about types.
      error={isLeft || error ? (problem ?? error) : undefined}
    />
  )
}
