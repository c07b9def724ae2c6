import { Button, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../ui/display/icon.tsx'
import { useCopy } from '../../../ui/display/use-copy.ts'
import { generatePassword } from './generate-password.ts'
import classes from './password-field.module.css'

const COPY_LABELS = { copied: 'Password copied', failed: 'Could not copy' }

type PasswordFieldProps = {
  label?: string
  value: string
  onChange: (value: string) => void
  disabled?: boolean
  error?: string
  hasFocus?: boolean
}

/** A new password, typed or generated. A generated one is shown, so that it can be passed on to the user. */
export function PasswordField({
  label = 'Password',
  value,
  onChange,
  disabled,
  hasFocus,
  ...field
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const { outcome, copy } = useCopy()
  return (
    <div className={classes.field}>
      <TextInput
        {...field}
        className={classes.input}
        label={label}
        required={!disabled}
        autoFocus={hasFocus}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        spellCheck={false}
        disabled={disabled}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSectionWidth={64}
        rightSection={
          <span className={classes.tools}>
            <Tool
              icon={outcome === 'copied' ? 'check' : 'copy'}
              label={outcome ? COPY_LABELS[outcome] : 'Copy password'}
              disabled={disabled || value === ''}
              onClick={() => copy(value)}
            />
            <Tool
              icon={isShown ? 'eye-off' : 'eye'}
              label={isShown ? 'Hide password' : 'Show password'}
              disabled={disabled}
              onClick={() => setShown(!isShown)}
            />
          </span>
        }
      />
      <Button
        variant="default"
        className={classes.generate}
        disabled={disabled}
        leftSection={<Icon name="dice" />}
        onClick={() => {
          onChange(generatePassword())
          setShown(true)
        }}
      >
        Generate
      </Button>
    </div>
  )
}

type ToolProps = { icon: 'check' | 'copy' | 'eye' | 'eye-off'; label: string; disabled?: boolean; onClick: () => void }

function Tool({ icon, label, disabled, onClick }: ToolProps) {
  return (
    <UnstyledButton className={classes.tool} aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </UnstyledButton>
  )
}
