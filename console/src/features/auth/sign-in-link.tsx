import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { Link, useRouteContext } from '@tanstack/react-router'
import { signInWithLink } from '@watchdesk/contract/auth/links'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { readToken, storeToken } from '../../api/token.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { Card } from './card.tsx'
import classes from './login.module.css'
import { endSessionOf } from './queries.ts'
import { useAttempt } from './shared/use-attempt.ts'

/** Where the links of `npm run sign-in-link` lead. */
export function SignInLinkPage() {
  const { link_token } = useRouteContext({ from: '/link/sign_in' })
  // Another link, opened in the same tab, starts again.
  return link_token === '' ? <MissingLink /> : <SignInWithLink key={link_token} token={link_token} />
}

function SignInWithLink({ token }: { token: string }) {
  const [isSignedIn] = useState(() => readToken() !== null)
  const { pending, failure, attempt } = useAttempt()

  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link works once
  useEffect(() => {
    if (hasStarted.current || isSignedIn) return
    hasStarted.current = true
    attempt(signIn)
  }, [])

  if (failure) {
    return (
      <Card title="This link does not work" isHeadingFocused>
        <p className={classes.failure} role="alert">
          {failure}
        </p>
        <AnotherLink />
      </Card>
    )
  }
  if (isSignedIn && !pending) {
    return (
      <Card title="Sign in with this link?" isHeadingFocused>
        <p className={classes.text}>You are signed in already. The link ends that session and starts a new one.</p>
        <Button onClick={() => attempt(signIn)}>Sign in with the link</Button>
        <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          Stay signed in as before
        </Button>
      </Card>
    )
  }
  return (
    <Card title="Sign in" summary="For staff only">
      <Loading label="Signing in" />
    </Card>
  )

  async function signIn() {
    const old = readToken()
    const { access_token } = await call(signInWithLink, { body: { token } })
    if (old !== null) await endSessionOf(old)
    storeToken(access_token)
    window.location.assign('/')
    // Never resolves: nothing else should show while the page unloads.
    await new Promise(() => {})
  }
}

/** The secret of the link is not in the address any more after a reload. */
function MissingLink() {
  return (
    <Card title="Open your link again" isHeadingFocused>
      <p className={classes.text}>
        Copy all of the link from the command line once more. It is valid until you have signed in with it, or it
        expires.
      </p>
      <AnotherLink />
    </Card>
  )
}

function AnotherLink() {
  return (
    <>
      <p className={classes.text}>
        An operator of the server can create one on the command line: <code>npm run sign-in-link -- EMAIL</code>
      </p>
      <Button variant="default" renderRoot={(props) => <Link to="/login" {...props} />}>
        Go to sign-in
      </Button>
    </>
  )
}
