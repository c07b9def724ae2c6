import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Button } from '@mantine/core'
import { Link, useRouteContext } from '@tanstack/react-router'
import { choosePassword, type OpenedLink, openLink } from '@watchdesk/contract/auth/links'
import { type SubmitEvent, useEffect, useState } from 'react'
import { ApiError, call } from '../../api/call.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { FailureText } from '../../ui/form/action-form.tsx'
import { useAction } from '../../ui/form/use-action.ts'
import { PasswordField } from '../users/shared/password-field.tsx'
import { Card } from './card.tsx'
import classes from './login.module.css'
import { useSignInOptions } from './use-sign-in-options.ts'

/** Where the links of invitations and of forgotten passwords lead. */
export function SetPasswordPage() {
  const { link_token } = useRouteContext({ from: '/link/set_password' })
  // Another link, opened in the same tab, starts again.
  return link_token === '' ? <MissingLink /> : <OpenLink key={link_token} token={link_token} />
}

function OpenLink({ token }: { token: string }) {
  const [link, setLink] = useState<OpenedLink>()
  const [error, setError] = useState<unknown>()
  const [isDone, setDone] = useState(false)
  const [attempts, setAttempts] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the user tries again
  useEffect(() => {
    const stop = new AbortController()
    setError(undefined)
    call(openLink, { body: { token }, signal: stop.signal }).then(setLink, (reason: unknown) => {
      if (!stop.signal.aborted) setError(reason)
    })
    return () => stop.abort()
  }, [token, attempts])

  if (isDone && link) {
    return (
      <Card title="Password saved" isHeadingFocused>
        <p className={classes.text}>
          Your new password for <strong className={classes.email}>{link.email}</strong> is valid now. If you have access
          to this console, you can sign in with it.
        </p>
        <Button renderRoot={(props) => <Link to="/login" {...props} />}>Go to sign-in</Button>
      </Card>
    )
  }
  if (link) {
    return (
      <Card title={link.kind === 'invitation' ? `Welcome, ${link.first_name}` : `Hello, ${link.first_name}`}>
        <ChoosePassword token={token} link={link} onDone={() => setDone(true)} onInvalid={setInvalid} />
      </Card>
    )
  }
  if (isInvalid(error)) return <InvalidLink text={error.message} isRefused={error.status === 403} />
  return (
    <Card title="Choose a password">
      {error === undefined ? <Loading /> : <Failed error={error} retry={() => setAttempts(attempts + 1)} />}
    </Card>
  )

  function setInvalid(reason: ApiError) {
    setLink(undefined)
    setError(reason)
  }
}

type ChoosePasswordProps = {
  token: string
  link: OpenedLink
  onDone: () => void
  onInvalid: (reason: ApiError) => void
}

function ChoosePassword({ token, link, onDone, onInvalid }: ChoosePasswordProps) {
  const [password, setPassword] = useState('')
  const action = useAction({
    body: () => ({ token, password }),
    schema: () => import('@watchdesk/contract/auth/links.schema').then((schema) => schema.choosePassword.body),
    send: (body) => call(choosePassword, { body }).then(onDone, refuse),
  })
  return (
    <form className={classes.form} noValidate onFocus={action.prepare} onSubmit={submit}>
      <p className={classes.text}>
        Choose a password for <strong className={classes.email}>{link.email}</strong>.
      </p>
      {/* Password managers save it with the password. */}
      <input className="visually-hidden" type="email" autoComplete="username" value={link.email} readOnly hidden />
      <PasswordField
        value={password}
        error={action.errors.password}
        hasFocus
        onChange={(value) => {
          setPassword(value)
          action.changed('password')
        }}
      />
      <div className={classes.action}>
        {action.pending ? <Loading label="Saving" /> : <Button type="submit">Save password</Button>}
      </div>
      {action.failure && <FailureText failure={action.failure} />}
    </form>
  )

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    action.submit()
  }

  /** The link may have expired since it was opened. */
  function refuse(error: unknown) {
    if (!isInvalid(error)) throw error
    onInvalid(error)
  }
}

/** The secret of the link is not in the address any more after a reload. */
function MissingLink() {
  const options = useSignInOptions()
  return (
    <Card title="Open your link again" isHeadingFocused>
      <p className={classes.text}>
        Open the link in the message that you got once more. It is valid until you have chosen a password, or it
        expires.
      </p>
      <p className={classes.text}>
        If you do not have it, or it does not work any more,{' '}
        {options?.forgotten_password ? 'use “Forgot password?” or ' : ''}ask your administrator for a new one. If you
        have chosen a password already, sign in with it.
      </p>
      <Button variant="default" renderRoot={(props) => <Link to="/login" {...props} />}>
        Go to sign-in
      </Button>
      {options?.forgotten_password && (
        <Link to="/forgot_password" className={classes.link}>
          Forgot password?
        </Link>
      )}
    </Card>
  )
}

/** A server that does not use passwords refuses every link, and says how to sign in instead. */
function InvalidLink({ text, isRefused = false }: { text: string; isRefused?: boolean }) {
  return (
    <Card title="This link does not work" isHeadingFocused>
      <p className={classes.failure} role="alert">
        {text}
      </p>
      {!isRefused && (
        <p className={classes.text}>
          Your administrator can create a new link. If you have a password already, sign in with it.
        </p>
      )}
      <Button variant="default" renderRoot={(props) => <Link to="/login" {...props} />}>
        Go to sign-in
      </Button>
    </Card>
  )
}

/** Not a link, or one that was used, replaced or has expired. */
function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 401, 403, 404, 410].includes(error.status)
}
