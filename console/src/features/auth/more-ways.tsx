import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { requestPasskey, type SignInOptions, signInWithPasskey } from '@watchdesk/contract/auth/session'
import { useRef } from 'react'
import { ApiError, call, UNREACHABLE } from '../../api/call.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { useRestoreFocus } from '../../ui/form/use-restore-focus.ts'
import classes from './more-ways.module.css'
import { canUsePasskeys } from './shared/passkey-support.ts'
import { useAttempt } from './shared/use-attempt.ts'

type MoreWaysProps = {
  options: SignInOptions
  /** Opens the provider. By default, the link leads there. */
  onSso?: (event: { preventDefault: () => void }) => void
  sso?: string
  onToken: (token: string) => Promise<void> | void
}

/** The ways to sign in without a password. */
export function MoreWays({ options, sso = '/sso/start', onSso, onToken }: MoreWaysProps) {
  const { pending, failure, attempt } = useAttempt()
  const passkey = useRef<HTMLButtonElement>(null)
  useRestoreFocus(pending, passkey)
  const hasPasskeys = options.password && canUsePasskeys()
  if (!options.sso && !hasPasskeys) return null
  return (
    <div className={classes.ways}>
      {options.password && <p className={classes.divider}>or</p>}
      {options.sso && (
        <Button component="a" href={sso} variant={options.password ? 'default' : 'filled'} onClick={onSso}>
          Continue with {options.sso.label}
        </Button>
      )}
      {hasPasskeys &&
        (pending ? (
          <Loading label="Waiting for the passkey" />
        ) : (
          <Button
            ref={passkey}
            variant="default"
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={() => attempt(signIn)}
          >
            Sign in with a passkey
          </Button>
        ))}
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
    </div>
  )

  async function signIn() {
    const [{ askForPasskey }, { options: request }] = await Promise.all([loadPasskeys(), call(requestPasskey)])
    const { access_token } = await call(signInWithPasskey, { body: { answer: await askForPasskey(request) } })
    await onToken(access_token)
  }
}

/** Loads the code before the click, because some browsers only show passkeys right after one. */
function prepare() {
  loadPasskeys().catch(() => {})
}

function loadPasskeys() {
  return import('./shared/add-passkey.ts').catch(() => {
    throw new ApiError(0, undefined, UNREACHABLE, {})
  })
}
