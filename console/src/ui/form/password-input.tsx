import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import classes from './password-input.module.css'

/** Mantine's own toggle only handles mouse events, not the clicks of assistive technology, and lacks `aria-invalid`. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'rightSection'>) {
  const [shown, setShown] = useState(false)
  // Not by its name: visitors would load all icons.
  const ToggleIcon = shown ? EyeOff : Eye
  const toggle = (
    <UnstyledButton
      className={classes.toggle}
      aria-label={shown ? 'Hide password' : 'Show password'}
      onClick={() => setShown(!shown)}
    >
      <ToggleIcon size={18} strokeWidth={1.7} />
    </UnstyledButton>
  )
  return <TextInput {...props} type={shown ? 'text' : 'password'} rightSection={toggle} />
}
