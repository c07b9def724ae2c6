import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { forgotPassword } from '@watchdesk/contract/auth/links'
import { PASSWORD_LINK_MINUTES } from '@watchdesk/contract/limits'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { FailureText } from '../../ui/form/action-form.tsx'
import { useAction } from '../../ui/form/use-action.ts'
import { Card } from './card.tsx'
import classes from './login.module.css'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const action = useAction({
    body: () => ({ email: email.trim() }),
    schema: () => import('@watchdesk/contract/auth/links.schema').then((schema) => schema.forgotPassword.body),
    send: (body) => call(forgotPassword, { body }).then(() => setSent(true)),
  })
  const { errors, refusals } = action
  useEffect(() => {
    if (refusals > 0) field.current?.focus()
  }, [refusals])

  if (isSent) {
    return (
      <Card title="Check your mail" isHeadingFocused>
        {/* The same for every address: nobody can find out who has an account. */}
        <p className={classes.text}>
          If an account has this email, a link to choose another password is on its way. It may take a few minutes. The
          link is valid for {PASSWORD_LINK_MINUTES} minutes.
        </p>
        <BackToLogin />
      </Card>
    )
  }
  return (
    <Card title="Forgot password?">
      <form className={classes.form} noValidate onFocus={action.prepare} onSubmit={submit}>
        <p className={classes.text}>Enter your email. You get a link to choose another password.</p>
        <TextInput
          ref={field}
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          placeholder="name@company.com"
          readOnly={action.pending}
          value={email}
          error={errors.email}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            action.changed('email')
          }}
        />
        <div className={classes.action}>
          {action.pending ? <Loading label="Sending" /> : <Button type="submit">Send link</Button>}
        </div>
        {action.failure && <FailureText failure={action.failure} />}
      </form>
      <BackToLogin />
    </Card>
  )

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    action.submit()
  }
}

function BackToLogin() {
  return (
    <Link to="/login" className={classes.link}>
      Back to sign-in
    </Link>
  )
}
