import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import type { NewAuthenticator } from '@watchdesk/contract/auth/session'
import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../../../ui/display/icon.tsx'
import { useCopy } from '../../../ui/display/use-copy.ts'
import { Loading } from '../../../ui/feedback/loading.tsx'
import { CodeField } from './code-field.tsx'
import { QrCode } from './qr-code.tsx'
import classes from './steps.module.css'
import { useAttempt } from './use-attempt.ts'

type SetUpAuthenticatorProps = {
  /** Asks the server for a secret. */
  start: () => Promise<NewAuthenticator>
  /** Sends the first code. What it throws is shown, and the code can be typed again. */
  confirm: (code: string) => Promise<void>
  onBack: () => void
  /** The label of the button that calls `onBack`. */
  back?: string
  /** Whether the field takes the focus. Elsewhere, the heading has it. */
  isFieldFocused?: boolean
}

/** Shows the secret for an authenticator app, as a QR code and as a text, and asks for the app's first code. */
export function SetUpAuthenticator({ start, confirm, onBack, back = 'Back', ...given }: SetUpAuthenticatorProps) {
  const { isFieldFocused = false } = given
  const [added, setAdded] = useState<NewAuthenticator>()
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { pending, failure, attempt, clear } = useAttempt()

  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every start replaces the secret, so it is asked for once
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    load()
  }, [])

  useEffect(() => {
    if (added && isFieldFocused) field.current?.focus()
  }, [added, isFieldFocused])

  // Before the error is shown, so that nothing is typed in between.
  useLayoutEffect(() => {
    if (failure) field.current?.select()
  }, [failure])

  if (!added) {
    return (
      <div className={classes.step}>
        {failure ? (
          <>
            <p className="error-text" role="alert">
              {failure}
            </p>
            <div className={classes.actions}>
              <Button variant="default" onClick={onBack}>
                {back}
              </Button>
              <Button onClick={load}>Try again</Button>
            </div>
          </>
        ) : (
          <Loading />
        )}
      </div>
    )
  }

  return (
    <form className={classes.step} noValidate onSubmit={submit}>
      <ol className={classes.steps}>
        <li>
          <span>Scan this code with an authenticator app, such as Google Authenticator, 1Password or Aegis.</span>
          <QrCode {...added.qr_code} label="QR code for your authenticator app" />
          <a className={classes.openApp} href={added.address}>
            Open in an authenticator app on this phone
          </a>
          <Secret text={added.secret} />
        </li>
        <li>
          <span>Enter the code that the app shows.</span>
          <CodeField
            ref={field}
            value={code}
            readOnly={pending}
            error={isMissing ? 'Code is required!' : undefined}
            onChange={(value) => {
              setCode(value)
              setMissing(false)
            }}
          />
        </li>
      </ol>
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" disabled={pending} onClick={onBack}>
          {back}
        </Button>
        {pending ? <Loading label="Confirming" /> : <Button type="submit">Confirm</Button>}
      </div>
    </form>
  )

  function load() {
    attempt(async () => setAdded(await start()))
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // React events bubble through portals: without this, the form behind a dialog would be submitted too.
    event.stopPropagation()
    const typed = code.trim()
    setMissing(typed === '')
    if (typed === '') {
      clear()
      return field.current?.focus()
    }
    attempt(() => confirm(typed))
  }
}

const COPY_LABELS = { copied: 'Copied', failed: 'Could not copy' }

function Secret({ text }: { text: string }) {
  const { outcome, copy } = useCopy()
  return (
    <div className={classes.secret}>
      <span className={classes.secretLabel}>Cannot scan it? Type this key into the app:</span>
      <code className={classes.secretText}>{text.match(/.{1,4}/g)?.join(' ')}</code>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
        onClick={() => copy(text)}
      >
        {outcome ? COPY_LABELS[outcome] : 'Copy key'}
      </Button>
    </div>
  )
}
