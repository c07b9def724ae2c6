import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import type { PendingSignIn, SignInOptions } from '@watchdesk/contract/auth/session'
import { lazy, Suspense, useState } from 'react'
import { storeToken } from '../../api/token.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { Card } from './card.tsx'
import classes from './login.module.css'
import { canUsePasskeys } from './shared/passkey-support.ts'
import { useSignIn } from './use-sign-in.ts'
import { useSignInOptions } from './use-sign-in-options.ts'

const MoreWays = lazy(() => import('./more-ways.tsx').then((module) => ({ default: module.MoreWays })))
const LoginSteps = lazy(() => import('./login-steps.tsx').then((module) => ({ default: module.LoginSteps })))
const SsoReturn = lazy(() => import('./sso-return.tsx').then((module) => ({ default: module.SsoReturn })))

export function LoginPage() {
  const { sso } = useSearch({ from: '/visitor/login' })
  // The address changes before the sign-in is finished.
  const [outcome, setOutcome] = useState(sso)
  const options = useSignInOptions()
  const [start, setStart] = useState({ email: '', failure: '' })
  const [rest, setRest] = useState<PendingSignIn>()

  if (outcome) {
    return (
      <Suspense fallback={<Loading />}>
        <SsoReturn outcome={outcome} onFailed={backToStart} />
      </Suspense>
    )
  }
  if (rest) {
    return (
      <Suspense fallback={<Loading />}>
        <LoginSteps signIn={rest} email={start.email} onToken={enter} onBack={backToStart} />
      </Suspense>
    )
  }
  return (
    <LoginForm
      start={start}
      options={options}
      onRest={(pending, email) => {
        setStart({ email, failure: '' })
        setRest(pending)
      }}
    />
  )

  function backToStart(failure = '') {
    setRest(undefined)
    setOutcome(undefined)
    setStart({ ...start, failure })
  }
}

type LoginFormProps = {
  start: { email: string; failure: string }
  options: SignInOptions | undefined
  onRest: (rest: PendingSignIn, email: string) => void
}

function LoginForm({ start, options, onRest }: LoginFormProps) {
  const { form, email, password, failure, pending } = useSignIn(enter, onRest, start.failure)
  const line = failure && (
    <p className={classes.failure} role="alert">
      {failure}
    </p>
  )
  return (
    <Card title="Sign in" summary="For staff only">
      {options?.password === false ? (
        line
      ) : (
        <form className={classes.form} {...form}>
          <TextInput
            {...email}
            defaultValue={start.email}
            placeholder="name@company.com"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            withAsterisk={false}
          />
          <PasswordInput {...password} required withAsterisk={false} />
          <div className={classes.action}>
            {pending ? <Loading label="Signing in" /> : <Button type="submit">Login</Button>}
          </div>
          {line}
        </form>
      )}
      {options?.forgotten_password && (
        <Link to="/forgot_password" className={classes.link}>
          Forgot password?
        </Link>
      )}
      {options && (options.sso || canUsePasskeys()) && (
        <Suspense>
          <MoreWays options={options} onToken={enter} />
        </Suspense>
      )}
    </Card>
  )
}

/** A full page load. */
function enter(token: string) {
  storeToken(token)
  window.location.assign('/')
}
