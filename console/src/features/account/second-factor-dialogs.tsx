import { Button, TextInput } from '@mantine/core'
import type { Passkey } from '@watchdesk/contract/account'
import { deviceOf } from '@watchdesk/contract/device'
import { LENGTH } from '@watchdesk/contract/limits'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import classes from '../../ui/dialog/dialog.module.css'
import { holdDialog, openDialog } from '../../ui/dialog/dialogs.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { useShownOnce } from '../../ui/navigation/use-shown-once.ts'
import { createPasskey } from '../auth/shared/add-passkey.ts'
import { RecoveryCodes } from '../auth/shared/recovery-codes.tsx'
import { SetUpAuthenticator } from '../auth/shared/set-up-authenticator.tsx'
import { useAttempt } from '../auth/shared/use-attempt.ts'
import {
  addAuthenticator,
  addPasskey,
  confirmAuthenticator,
  renamePasskey,
  renewRecoveryCodes,
  requestNewPasskey,
} from './queries.ts'

type StepsProps = { email: string; onEnd: (isDone: boolean) => void }

/** Whether the app was set up. Its first code is checked, and the first second factor comes with recovery codes. */
export function setUpAuthenticator(email: string, isReplaced: boolean): Promise<boolean> {
  const title = isReplaced ? 'Replace the authenticator app' : 'Set up an authenticator app'
  return openDialog(title, false, (onEnd) => <AuthenticatorSteps {...{ email, onEnd }} />)
}

function AuthenticatorSteps({ email, onEnd }: StepsProps) {
  const { codes, finish } = useCodes(onEnd)
  if (codes) return <NewCodes codes={codes} email={email} onEnd={onEnd} />
  return (
    <SetUpAuthenticator
      start={addAuthenticator}
      confirm={(code) => finish(() => confirmAuthenticator(code))}
      back="Cancel"
      isFieldFocused
      onBack={() => onEnd(false)}
    />
  )
}

/** Whether a passkey was added. */
export function addPasskeyInDialog(email: string): Promise<boolean> {
  return openDialog('Add a passkey', false, (onEnd) => <PasskeySteps {...{ email, onEnd }} />)
}

function PasskeySteps({ email, onEnd }: StepsProps) {
  const { codes, finish } = useCodes(onEnd)
  if (codes) return <NewCodes codes={codes} email={email} onEnd={onEnd} />
  return (
    <NameForm
      text="Your browser asks for your fingerprint, face, PIN or security key next."
      initial={deviceOf(navigator.userAgent)}
      action="Continue"
      send={async (name) => {
        const { options } = await requestNewPasskey()
        const answer = await createPasskey(options)
        await finish(() => addPasskey(name, answer))
      }}
      onCancel={() => onEnd(false)}
    />
  )
}

/** Whether the passkey was renamed. */
export function renamePasskeyInDialog(passkey: Passkey): Promise<boolean> {
  return openDialog('Rename the passkey', false, (onEnd) => (
    <NameForm
      initial={passkey.name}
      action="Rename"
      send={async (name) => {
        await renamePasskey(passkey, name)
        onEnd(true)
      }}
      onCancel={() => onEnd(false)}
    />
  ))
}

/** Whether there are new codes. */
export function renewCodes(email: string): Promise<boolean> {
  return openDialog('Generate new recovery codes', false, (onEnd) => <RenewSteps {...{ email, onEnd }} />)
}

function RenewSteps({ email, onEnd }: StepsProps) {
  const { codes, finish } = useCodes(onEnd)
  const { pending, failure, attempt } = useAttempt()
  if (codes) return <NewCodes codes={codes} email={email} onEnd={onEnd} />
  return (
    <div className={classes.form}>
      <p className={classes.text}>You get new codes. Those that you saved earlier stop working.</p>
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" data-autofocus disabled={pending} onClick={() => onEnd(false)}>
          Cancel
        </Button>
        {pending ? (
          <Loading label="Generating the codes" />
        ) : (
          <Button onClick={() => attempt(() => finish(renewRecoveryCodes))}>Generate new codes</Button>
        )}
      </div>
    </div>
  )
}

/** The codes of the last step, if there are new ones. They are shown only once, so the dialog stays from then on. */
function useCodes(onEnd: (isDone: boolean) => void) {
  const [codes, setCodes] = useState<string[]>()
  const [isSending, setSending] = useState(false)
  useShownOnce(isSending)
  return {
    codes,
    finish: async (send: () => Promise<{ recovery_codes: string[] | null }>) => {
      setSending(true)
      try {
        const { recovery_codes } = await holdDialog(send)
        if (recovery_codes === null) onEnd(true)
        else setCodes(recovery_codes)
      } finally {
        setSending(false)
      }
    },
  }
}

/** The last step, below the title of what was set up. */
function NewCodes({ codes, email, onEnd }: StepsProps & { codes: string[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={classes.form}>
      <h3 ref={heading} tabIndex={-1} className="section-heading">
        Recovery codes
      </h3>
      <RecoveryCodes codes={codes} email={email} action="Done" onSaved={() => onEnd(true)} />
    </div>
  )
}

type NameFormProps = {
  text?: string
  initial: string
  action: string
  send: (name: string) => Promise<void>
  onCancel: () => void
}

function NameForm({ text, initial, action, send, onCancel }: NameFormProps) {
  const [name, setName] = useState(initial)
  const [isMissing, setMissing] = useState(false)
  const { pending, failure, attempt, clear } = useAttempt()
  const field = useRef<HTMLInputElement>(null)
  // The button that had it is gone while it is sent.
  useEffect(() => {
    if (failure) field.current?.focus()
  }, [failure])
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const typed = name.trim()
        setMissing(typed === '')
        if (typed === '') return field.current?.focus()
        attempt(() => send(typed))
      }}
    >
      {text && <p className={classes.text}>{text}</p>}
      <TextInput
        ref={field}
        label="Name"
        description="So that you recognize it among your passkeys"
        required
        autoComplete="off"
        data-autofocus
        maxLength={LENGTH.name}
        readOnly={pending}
        error={isMissing && 'Name is required!'}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setMissing(false)
          clear()
        }}
      />
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        {pending ? <Loading label="Waiting" /> : <Button type="submit">{action}</Button>}
      </div>
    </form>
  )
}
