import { deviceOf } from '@watchdesk/contract/device'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput, UnstyledButton } from '@mantine/core'
import * as api from '@watchdesk/contract/auth/session'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Icon, type IconName } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { createPasskey } from './shared/add-passkey.ts'
import { canUsePasskeys } from './shared/passkey-support.ts'
import { RecoveryCodes } from './shared/recovery-codes.tsx'
import { SetUpAuthenticator } from './shared/set-up-authenticator.tsx'
import classes from './shared/steps.module.css'
import { useAttempt } from './shared/use-attempt.ts'
import type { UnlessExpired } from './steps.tsx'

type SetUpStepProps = {
  token: string
  email: string
  unlessExpired: UnlessExpired
  onTitle: (title: string) => void
  onToken: (token: string) => Promise<void> | void
  onBack: () => void
}

const TITLES = {
  choice: 'Set up a second factor',
  authenticator: 'Authenticator app',
  passkey: 'Passkey',
  codes: 'Recovery codes',
}

/** Sets up a second factor for someone who must have one, and then shows the recovery codes. */
export function SetUpStep({ token, email, unlessExpired, onTitle, onToken, onBack }: SetUpStepProps) {
  const [shown, setShown] = useState<'choice' | 'authenticator' | 'passkey'>('choice')
  const [done, setDone] = useState<api.SignedInWithCodes>()
  const title = TITLES[done ? 'codes' : shown]
  useEffect(() => onTitle(title), [onTitle, title])

  if (done) {
    return <RecoveryCodes codes={done.recovery_codes} email={email} onSaved={() => void onToken(done.access_token)} />
  }
  if (shown === 'authenticator') {
    return (
      <SetUpAuthenticator
        start={() => unlessExpired(call(api.startAuthenticatorSetUp, { token }))}
        confirm={async (code) =>
          setDone(await unlessExpired(call(api.finishAuthenticatorSetUp, { token, body: { code } })))
        }
        onBack={() => setShown('choice')}
      />
    )
  }
  if (shown === 'passkey') return <AddPasskey add={addPasskey} onBack={() => setShown('choice')} />
  return (
    <div className={classes.step}>
      <p className={classes.text}>
        Your account needs a second factor in addition to the password, so that a stolen password is not enough. Choose
        what you want to confirm with.
      </p>
      <div className={classes.choices}>
        <Choice
          icon="phone"
          label="Authenticator app"
          text="An app on your phone shows a code that you type in."
          onClick={() => setShown('authenticator')}
        />
        {canUsePasskeys() && (
          <Choice
            icon="key"
            label="Passkey"
            text="Your fingerprint, face, PIN or a security key."
            onClick={() => setShown('passkey')}
          />
        )}
      </div>
      <div className={classes.links}>
        <UnstyledButton className={classes.link} onClick={onBack}>
          Back
        </UnstyledButton>
      </div>
    </div>
  )

  async function addPasskey(name: string) {
    const { options } = await unlessExpired(call(api.startPasskeySetUp, { token }))
    const answer = await createPasskey(options)
    setDone(await unlessExpired(call(api.finishPasskeySetUp, { token, body: { name, answer } })))
  }
}

type ChoiceProps = { icon: IconName; label: string; text: string; onClick: () => void }

function Choice({ icon, label, text, onClick }: ChoiceProps) {
  return (
    <UnstyledButton className={classes.choice} onClick={onClick}>
      <Icon name={icon} size={20} />
      <span className={classes.choiceLabel}>{label}</span>
      <span className={classes.choiceText}>{text}</span>
    </UnstyledButton>
  )
}

function AddPasskey({ add, onBack }: { add: (name: string) => Promise<void>; onBack: () => void }) {
  const [name, setName] = useState(() => deviceOf(navigator.userAgent))
  const { pending, failure, attempt } = useAttempt()
  const isMissing = name.trim() === ''
  const field = useRef<HTMLInputElement>(null)
  // The button that had it is gone while it is sent.
  useEffect(() => {
    if (failure) field.current?.focus()
  }, [failure])

  return (
    <form className={classes.step} noValidate onSubmit={submit}>
      <TextInput
        ref={field}
        label="Name"
        description="To recognize this passkey later"
        value={name}
        readOnly={pending}
        error={isMissing && 'Name is required!'}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        {pending ? <Loading label="Waiting for the passkey" /> : <Button type="submit">Add passkey</Button>}
      </div>
    </form>
  )

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    if (isMissing) return field.current?.focus()
    attempt(() => add(name.trim()))
  }
}
