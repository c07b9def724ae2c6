import type { Login, PendingSignIn } from '@watchdesk/contract/auth/session'
import { type SubmitEvent, useRef, useState } from 'react'
import { type FieldErrors, validate } from '../../ui/form/field-errors.ts'
import { signIn } from './queries.ts'

const SCHEMA_TIMEOUT_MS = 3_000

/** The props of a form that signs in and of its fields, for the login page and the dialog after an expired session. */
export function useSignIn(
  onToken: (token: string) => void,
  onRest: (rest: PendingSignIn, email: string) => void,
  startFailure = '',
) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState(startFailure)
  const [pending, setPending] = useState(false)
  const sending = useRef(false)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // React events bubble through portals: without this, the form behind a dialog would be submitted too.
    event.stopPropagation()
    // State alone would let through a second event before the next render.
    if (sending.current) return
    const form = new FormData(event.currentTarget)
    const body = { email: String(form.get('email')).trim(), password: String(form.get('password')) }
    sending.current = true
    setPending(true)
    setFailure('')
    const found = await loginErrors(body)
    setErrors(found)
    if (found.email || found.password) {
      stop()
      return (found.email ? email : password).current?.focus()
    }
    try {
      const answer = await signIn(body)
      if ('sign_in_token' in answer) onRest(answer, body.email)
      else onToken(answer.access_token)
    } catch (error) {
      stop()
      setFailure(error instanceof Error ? error.message : String(error))
      password.current?.focus()
      password.current?.select()
    }
  }

  function stop() {
    sending.current = false
    setPending(false)
  }

  return {
    failure,
    pending,
    form: { noValidate: true, onInput: () => void loadLoginSchema(), onSubmit: submit },
    email: {
      ref: email,
      name: 'email',
      type: 'email',
      label: 'Email',
      autoComplete: 'username',
      readOnly: pending,
      error: errors.email,
      onChange: () => setErrors({ ...errors, email: '' }),
    },
    password: {
      ref: password,
      name: 'password',
      label: 'Password',
      autoComplete: 'current-password',
      readOnly: pending,
      error: errors.password,
      onChange: () => setErrors({ ...errors, password: '' }),
    },
  }
}

/** Loaded while the user types, because it would make the login page a fifth larger. Undefined if it cannot be loaded. */
function loadLoginSchema() {
  return import('@watchdesk/contract/auth/session.schema').then((schema) => schema.Login).catch(() => undefined)
}

/** What is wrong with an email and password before they are sent. */
async function loginErrors(body: Login): Promise<FieldErrors> {
  const schema = await Promise.race([
    loadLoginSchema(),
    new Promise<undefined>((resolve) => setTimeout(resolve, SCHEMA_TIMEOUT_MS)),
  ])
  // Without it, the call itself reports what is wrong.
  return (schema && (await validate(schema, body)).errors) ?? {}
}
