import '@mantine/core/styles/Button.layer.css'
import { Button, UnstyledButton } from '@mantine/core'
import {
  enterCode,
  enterSecondPasskey,
  requestSecondPasskey,
  type SecondFactor,
} from '@watchdesk/contract/auth/session'
import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { useRestoreFocus } from '../../ui/form/use-restore-focus.ts'
import { askForPasskey } from './shared/add-passkey.ts'
import { CodeField } from './shared/code-field.tsx'
import { canUsePasskeys } from './shared/passkey-support.ts'
import classes from './shared/steps.module.css'
import { useAttempt } from './shared/use-attempt.ts'
import type { UnlessExpired } from './steps.tsx'

type SecondStepProps = {
  token: string
  methods: SecondFactor[]
  unlessExpired: UnlessExpired
  onToken: (token: string) => Promise<void> | void
  onBack: () => void
}

/** Asks for a code or a passkey. */
export function SecondStep({ token, methods, unlessExpired, onToken, onBack }: SecondStepProps) {
  const hasApp = methods.includes('authenticator')
  const hasPasskey = methods.includes('passkey')
  const hasRecoveryCodes = methods.includes('recovery_code')
  const [isRecoveryCode, setRecoveryCode] = useState(!hasApp && !hasPasskey)
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  const [done, setDone] = useState<{ access_token: string; recovery_codes_left: number }>()
  const field = useRef<HTMLInputElement>(null)
  const { pending, failure, attempt, clear } = useAttempt()
  const hasField = hasApp || isRecoveryCode
  const passkey = useRef<HTMLButtonElement>(null)
  useRestoreFocus(pending, passkey)

  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    if (!hasApp && hasPasskey && canUsePasskeys()) attempt(signInWithPasskey)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another field is focused when it appears
  useEffect(() => field.current?.focus(), [isRecoveryCode])

  // Before the error is shown, so that nothing is typed in between.
  useLayoutEffect(() => {
    if (!failure) return
    field.current?.focus()
    field.current?.select()
  }, [failure])

  if (done) return <CodesLeft left={done.recovery_codes_left} onContinue={() => void onToken(done.access_token)} />
  return (
    <form className={classes.step} noValidate onSubmit={submit}>
      {hasField && (
        <CodeField
          key={String(isRecoveryCode)}
          ref={field}
          isRecoveryCode={isRecoveryCode}
          value={code}
          readOnly={pending}
          error={error}
          onChange={(value) => {
            setCode(value)
            setError('')
          }}
        />
      )}
      {!hasField && <p className={classes.text}>{passkeyText()}</p>}
      {pending ? (
        <Loading label="Signing in" />
      ) : (
        <div className={classes.buttons}>
          {hasField && <Button type="submit">Continue</Button>}
          {hasPasskey && canUsePasskeys() && !isRecoveryCode && (
            <Button
              ref={passkey}
              variant={hasField ? 'default' : 'filled'}
              leftSection={<Icon name="key" size={16} />}
              onClick={() => attempt(signInWithPasskey)}
            >
              Use a passkey
            </Button>
          )}
        </div>
      )}
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
      <div className={classes.links}>
        {hasRecoveryCodes && (hasApp || hasPasskey) && (
          <UnstyledButton className={classes.link} disabled={pending} onClick={toggle}>
            {isRecoveryCode ? `Use ${hasApp ? 'the authenticator app' : 'a passkey'}` : 'Use a recovery code'}
          </UnstyledButton>
        )}
        <UnstyledButton className={classes.link} disabled={pending && hasField} onClick={onBack}>
          Back
        </UnstyledButton>
      </div>
    </form>
  )

  function passkeyText() {
    return canUsePasskeys()
      ? 'Confirm with your passkey. Your browser asks for it.'
      : `Your passkey does not work in this browser at ${window.location.host}. Open the console at the address where you added it${hasRecoveryCodes ? ', or use a recovery code' : ''}.`
  }

  function toggle() {
    setRecoveryCode(!isRecoveryCode)
    setCode('')
    setError('')
    clear()
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // React events bubble through portals: without this, the form behind a dialog would be submitted too.
    event.stopPropagation()
    if (!hasField) return
    const typed = code.trim()
    if (typed === '') {
      setError('Code is required!')
      clear()
      return field.current?.focus()
    }
    attempt(async () => {
      const { access_token, recovery_codes_left } = await unlessExpired(
        call(enterCode, { token, body: { code: typed } }),
      )
      if (recovery_codes_left === undefined) await onToken(access_token)
      else setDone({ access_token, recovery_codes_left })
    })
  }

  async function signInWithPasskey() {
    const { options } = await unlessExpired(call(requestSecondPasskey, { token }))
    const answer = await askForPasskey(options)
    const { access_token } = await unlessExpired(call(enterSecondPasskey, { token, body: { answer } }))
    await onToken(access_token)
  }
}

/** Before the console opens, because a page load would end a toast. */
function CodesLeft({ left, onContinue }: { left: number; onContinue: () => void }) {
  return (
    <div className={classes.step}>
      <p className={classes.text} role="status">
        You signed in with a recovery code.{' '}
        {left === 0 ? 'It was the last one' : `${left} of them ${left === 1 ? 'is' : 'are'} left`}. You can create new
        ones in My account.
      </p>
      <div className={classes.buttons}>
        <Button autoFocus onClick={onContinue}>
          Continue
        </Button>
      </div>
    </div>
  )
}
