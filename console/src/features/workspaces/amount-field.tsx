import { TextInput } from '@mantine/core'
import { MAX_QUOTA } from '@watchdesk/contract/limits'
import { formatNumber } from '../../ui/format.ts'
import { plainAmount } from './values.ts'

type AmountFieldProps = {
  label: string
  required?: boolean
  value?: string
  onChange: (amount: string) => void
  onFocus?: () => void
  onBlur?: () => void
  error?: string
}

/** A whole number as its digits: regrouping them on focus would lose the selection and move the cursor. */
export function AmountField({ value = '', onChange, onBlur, error, ...field }: AmountFieldProps) {
  return (
    <TextInput
      {...field}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => {
        const plain = plainAmount(value)
        if (plain !== value) onChange(plain)
        onBlur?.()
      }}
      error={error && inWords(error)}
    />
  )
}

/** The schema's own words speak of types. */
function inWords(error: string) {
  if (error.startsWith('Too big')) return `Must be ${formatNumber(MAX_QUOTA)} at most.`
  return /^(Invalid input|Too small)/.test(error) ? 'Must be a whole number, 0 or more.' : error
}
