import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { failureOf } from '../../ui/form/use-action.ts'
import classes from './views-panel.module.css'

type ViewFormProps = {
  label: string
  button: string
  initial?: string
  onSubmit: (name: string) => Promise<void>
}

/** Asks for the name of a view. The server says if it is taken. */
export function ViewForm({ label, button, initial = '', onSubmit }: ViewFormProps) {
  const [name, setName] = useState(initial)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // Opened by a button that it replaces.
  useEffect(() => {
    if (initial !== '') input.current?.select()
  }, [initial])

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    try {
      await onSubmit(name.trim())
      setName('')
    } catch (failure) {
      setError(failureOf(failure).text)
      input.current?.focus()
    } finally {
      setSaving(false)
    }
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      <TextInput
        ref={input}
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={name}
        error={error}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setError(undefined)
        }}
      />
      <Button type="submit" variant="default" loading={isSaving} disabled={name.trim() === ''}>
        {button}
      </Button>
    </form>
  )
}
