import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Title.layer.css'
import { Button, TextInput, Title } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { storeToken } from '../../api/token.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import type { FieldErrors } from '../../ui/form/field-errors.ts'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { useDocumentTitle } from '../../ui/page/use-document-title.ts'
import classes from './login.module.css'
import { loadLoginSchema, loginErrors } from './login-errors.ts'
import { signIn } from './queries.ts'

export function LoginPage() {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState('')
  const [pending, setPending] = useState(false)
  const sending = useRef(false)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  useDocumentTitle('Sign in')

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
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
      sending.current = false
      setPending(false)
      return (found.email ? email : password).current?.focus()
    }
    try {
      const { access_token } = await signIn(body)
      storeToken(access_token)
      window.location.assign('/')
    } catch (error) {
      sending.current = false
      setPending(false)
      setFailure(error instanceof Error ? error.message : String(error))
      password.current?.focus()
      password.current?.select()
    }
  }

  return (
    <div className={classes.page}>
      <form className={classes.sheet} onInput={() => void loadLoginSchema()} onSubmit={submit} noValidate>
        <header>
          <Title order={1}>Sign in</Title>
          <p className={classes.summary}>For staff only</p>
        </header>
        <TextInput
          ref={email}
          name="email"
          type="email"
          label="Email"
          placeholder="name@company.com"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
          readOnly={pending}
          error={errors.email}
          onChange={() => setErrors({ ...errors, email: '' })}
        />
        <PasswordInput
          ref={password}
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          readOnly={pending}
          error={errors.password}
          onChange={() => setErrors({ ...errors, password: '' })}
        />
        <div className={classes.action}>
          {pending ? <Loading label="Signing in" /> : <Button type="submit">Login</Button>}
        </div>
        {failure && (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        )}
      </form>
    </div>
  )
}
