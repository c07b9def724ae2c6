import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import type { Ref } from 'react'
import classes from './steps.module.css'

type CodeFieldProps = {
  ref?: Ref<HTMLInputElement>
  value: string
  onChange: (value: string) => void
  readOnly?: boolean
  error?: string
  /** The label is 'Recovery code', and letters can be typed. */
  isRecoveryCode?: boolean
}

/** A code of an authenticator app, or a recovery code. */
export function CodeField({ isRecoveryCode = false, value, onChange, ...field }: CodeFieldProps) {
  return (
    <TextInput
      {...field}
      label={isRecoveryCode ? 'Recovery code' : 'Code'}
      description={
        isRecoveryCode
          ? 'One of the codes that you saved when you set up your second factor. Each works once.'
          : '6 digits from your authenticator app'
      }
      name="code"
      classNames={{ input: classes.code }}
      inputMode={isRecoveryCode ? 'text' : 'numeric'}
      autoComplete={isRecoveryCode ? 'off' : 'one-time-code'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
