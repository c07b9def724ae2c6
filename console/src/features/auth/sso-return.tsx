import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { finishSso, SSO_PROBLEMS, type SsoProblem } from '@watchdesk/contract/auth/session'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { readToken, storeToken } from '../../api/token.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { Card } from './card.tsx'
import classes from './login.module.css'
import { refuseOtherUser } from './same-user.ts'
import { readWaiting, SSO_AGAIN, stopWaiting } from './sign-in-again-flag.ts'

type SsoReturnProps = {
  /** What follows `/login?sso=`: `done`, or a code that says what went wrong. */
  outcome: string
  onFailed: (reason: string) => void
}

/** The end of a single sign-on. */
export function SsoReturn({ outcome, onFailed }: SsoReturnProps) {
  const navigate = useNavigate()
  const [waiting] = useState(() => (readToken() === null ? undefined : readWaiting()))
  const [problem, setProblem] = useState('')
  const [isDone, setDone] = useState(false)

  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the outcome can be fetched once
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    void finish().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
  }, [])

  if (problem) {
    return (
      <Card title="Sign in again" isHeadingFocused>
        <p className={classes.failure} role="alert">
          {problem}
        </p>
        <Button component="a" href={SSO_AGAIN}>
          Try again
        </Button>
      </Card>
    )
  }
  if (isDone) {
    return (
      <Card title="You are signed in" isHeadingFocused>
        <p className={classes.text}>You can close this window and continue where you left off.</p>
      </Card>
    )
  }
  return (
    <Card title="Sign in" summary="For staff only">
      <Loading label="Signing in" />
    </Card>
  )

  async function finish() {
    // Otherwise a reload would try to finish it a second time.
    if (!waiting) await navigate({ to: '/login', search: {}, replace: true, ignoreBlocker: true })
    if (outcome !== 'done') return fail(ssoProblem(outcome))
    const { access_token } = await call(finishSso)
    if (waiting) await refuseOtherUser(access_token, waiting)
    stopWaiting()
    storeToken(access_token, { isSso: true })
    if (!waiting) return window.location.assign('/')
    setDone(true)
    // Not every browser lets a window close itself after it was at the provider.
    window.close()
  }

  function fail(reason: string) {
    if (waiting) setProblem(reason)
    else onFailed(reason)
  }
}

function ssoProblem(code: string) {
  return Object.hasOwn(SSO_PROBLEMS, code) ? SSO_PROBLEMS[code as SsoProblem] : SSO_PROBLEMS.invalid
}
