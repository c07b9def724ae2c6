import '../../ui/dialog/dialog-styles.ts'
import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { storeToken } from '../../api/token.ts'
import classes from '../../ui/dialog/dialog.module.css'
import { Loading } from '../../ui/feedback/loading.tsx'
import type { FieldErrors } from '../../ui/form/field-errors.ts'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { loadLoginSchema, loginErrors } from './login-errors.ts'
import { currentUserQuery, leave, signIn } from './queries.ts'

/** Above any other open dialog. */
const Z_INDEX = 500

export function SignInAgainDialog({ onSignedIn }: { onSignedIn: () => void }) {
  const { data: user } = useQuery(currentUserQuery)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState('')
  const [pending, setPending] = useState(false)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // React events bubble through portals: without this, the form that opened the dialog would be submitted too.
    event.stopPropagation()
    if (pending) return
    const form = new FormData(event.currentTarget)
    const body = { email: String(form.get('email')).trim(), password: String(form.get('password')) }
    setFailure('')
    setPending(true)
    const found = await loginErrors(body)
    setErrors(found)
    if (found.email || found.password) {
      setPending(false)
      return (found.email ? email : password).current?.focus()
    }
    try {
      const { access_token } = await signIn(body)
      storeToken(access_token)
      onSignedIn()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
      setPending(false)
      password.current?.select()
    }
  }

  return (
    <Modal
      opened
      centered
      title="Sign in again"
      zIndex={Z_INDEX}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => {}}
      transitionProps={{ duration: 120 }}
    >
      <form className={classes.form} onInput={() => void loadLoginSchema()} onSubmit={submit} noValidate>
        <p className={classes.text}>
          Your session has ended. Sign in to continue where you left off. Nothing you entered is lost.
        </p>
        <TextInput
          ref={email}
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          defaultValue={user?.email}
          // Another user must not continue on this user's page.
          readOnly={user !== undefined}
          error={errors.email}
          onChange={() => setErrors({ ...errors, email: '' })}
        />
        <PasswordInput
          ref={password}
          name="password"
          label="Password"
          autoComplete="current-password"
          error={errors.password}
          onChange={() => setErrors({ ...errors, password: '' })}
          data-autofocus
        />
        {failure && (
          <p className="error-text" role="alert">
            {failure}
          </p>
        )}
        <div className={classes.actions}>
          <Button variant="default" onClick={leave}>
            Logout
          </Button>
          {pending ? <Loading label="Signing in" /> : <Button type="submit">Login</Button>}
        </div>
      </form>
    </Modal>
  )
}
