import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../display/icon.tsx'
import classes from './password-input.module.css'

/** Mantine's own toggle only handles mouse events, not the clicks of assistive technology, and lacks `aria-invalid`. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'rightSection'>) {
  const [shown, setShown] = useState(false)
  const toggle = (
    <UnstyledButton
      className={classes.toggle}
      aria-label={shown ? 'Hide password' : 'Show password'}
      onClick={() => setShown(!shown)}
    >
      <Icon name={shown ? 'eye-off' : 'eye'} />
    </UnstyledButton>
  )
  return <TextInput {...props} type={shown ? 'text' : 'password'} rightSection={toggle} />
}
