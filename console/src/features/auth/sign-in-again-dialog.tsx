import '../../ui/dialog/dialog-styles.ts'
import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PendingSignIn, SignInOptions } from '@watchdesk/contract/auth/session'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { SignInReason } from '../../api/session-lost.ts'
import { storeToken } from '../../api/token.ts'
import classes from '../../ui/dialog/dialog.module.css'
import { Loading } from '../../ui/feedback/loading.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { MoreWays } from './more-ways.tsx'
import { currentUserQuery, leave } from './queries.ts'
import { refuseOtherUser } from './same-user.ts'
import { SSO_AGAIN, startWaiting, stopWaiting } from './sign-in-again-flag.ts'
import { useSignIn } from './use-sign-in.ts'
import { useSignInOptions } from './use-sign-in-options.ts'

const DialogSteps = lazy(() => import('./dialog-steps.tsx').then((module) => ({ default: module.DialogSteps })))

/** Above any other open dialog. */
const Z_INDEX = 500
const TEXTS = {
  ended: 'Your session has ended. Sign in to continue where you left off. Nothing you entered is lost.',
  confirm: 'To do this, confirm that it is you.',
}
const SSO_WINDOW = 'popup,width=520,height=680'

type SignInAgainDialogProps = { reason: SignInReason; onSignedIn: () => void; onCancel: () => void }

export function SignInAgainDialog({ reason, onSignedIn, onCancel }: SignInAgainDialogProps) {
  const options = useSignInOptions()
  const [start, setStart] = useState({ email: '', failure: '' })
  const [rest, setRest] = useState<PendingSignIn>()
  // The recovery codes of a second factor that was set up here are shown only once.
  const canCancel = reason === 'confirm' && rest?.next !== 'set_up'
  useEffect(() => stopWaiting, [])
  const [focused] = useState(() => document.activeElement)
  useEffect(() => () => returnFocus(focused), [focused])

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
      // Mantine closes every open dialog with Escape, unless the focused element says no: this one is above another.
      onFocusCapture={(event) => event.target.setAttribute('data-mantine-stop-propagation', 'true')}
      onKeyDown={(event) => canCancel && event.key === 'Escape' && onCancel()}
      transitionProps={{ duration: 120 }}
    >
      {rest ? (
        <Suspense fallback={<Loading />}>
          <DialogSteps signIn={rest} email={start.email} onToken={enter} onBack={backToStart} />
        </Suspense>
      ) : (
        <Start
          reason={reason}
          failure={start.failure}
          options={options}
          onToken={enter}
          onRest={(pending, email) => {
            setStart({ email, failure: '' })
            setRest(pending)
          }}
          onCancel={onCancel}
        />
      )}
    </Modal>
  )

  function enter(token: string) {
    storeToken(token)
    onSignedIn()
  }

  function backToStart(failure = '') {
    setRest(undefined)
    setStart({ ...start, failure })
  }
}

/** To what had it, or to the dialog behind if that is gone. */
function returnFocus(focused: Element | null) {
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  keepFocus('[role=dialog] [data-autofocus]')
}

type StartProps = {
  reason: SignInReason
  failure: string
  options: SignInOptions | undefined
  onToken: (token: string) => void
  onRest: (rest: PendingSignIn, email: string) => void
  onCancel: () => void
}

function Start({ reason, options, onToken, onRest, onCancel, ...start }: StartProps) {
  const { data: user } = useQuery(currentUserQuery)
  const { form, email, password, failure, pending } = useSignIn(onToken, onRest, start.failure)
  const hasPassword = options?.password !== false
  const element = useRef<HTMLFormElement>(null)
  // The field that had the focus is gone. Without a focus, Escape would close the dialog behind this one.
  useEffect(() => {
    if (!hasPassword) element.current?.querySelector('a')?.focus()
  }, [hasPassword])

  return (
    <form ref={element} className={classes.form} {...form}>
      <p className={classes.text}>{TEXTS[reason]}</p>
      {hasPassword && (
        <>
          {/* Another user must not continue on this user's page. */}
          <TextInput {...email} defaultValue={user?.email} readOnly={pending || user !== undefined} />
          <PasswordInput {...password} data-autofocus />
        </>
      )}
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
      <div className={classes.actions}>
        {reason === 'confirm' ? (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        ) : (
          <Button variant="default" onClick={leave}>
            Logout
          </Button>
        )}
        {hasPassword && (pending ? <Loading label="Signing in" /> : <Button type="submit">Login</Button>)}
      </div>
      {options && <MoreWays options={options} sso={SSO_AGAIN} onSso={openProvider} onToken={enterAsSameUser} />}
    </form>
  )

  async function enterAsSameUser(token: string) {
    if (user) await refuseOtherUser(token, user)
    onToken(token)
  }

  /** If the browser blocks the window, the link opens a tab. */
  function openProvider(event: { preventDefault: () => void }) {
    if (user) startWaiting(user)
    if (window.open(SSO_AGAIN, '_blank', SSO_WINDOW)) event.preventDefault()
  }
}
