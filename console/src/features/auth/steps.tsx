import { type PendingSignIn, SIGN_IN_EXPIRED } from '@watchdesk/contract/auth/session'
import { ApiError } from '../../api/call.ts'
import { SecondStep } from './second-step.tsx'
import { SetUpStep } from './set-up-step.tsx'

export type SignInStepsProps = {
  signIn: PendingSignIn
  email: string
  /** The heading is outside, because a dialog has one already. */
  onTitle: (title: string) => void
  onToken: (token: string) => Promise<void> | void
  /** Back to the start, with the reason if the sign-in has expired. */
  onBack: (reason?: string) => void
}

/** What follows a right password: a second factor, or setting one up. */
export function SignInSteps({ signIn, email, onTitle, onToken, onBack }: SignInStepsProps) {
  const token = signIn.sign_in_token
  if (signIn.next === 'set_up') {
    const props = { token, email, unlessExpired, onTitle, onToken, onBack: () => onBack() }
    return <SetUpStep {...props} />
  }
  const props = { token, methods: signIn.methods, unlessExpired, onToken, onBack: () => onBack() }
  return <SecondStep {...props} />

  /** A sign-in that has expired starts again. */
  async function unlessExpired<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result
    } catch (error) {
      // A wrong code is a 401 too.
      if (!(error instanceof ApiError) || error.text !== SIGN_IN_EXPIRED) throw error
      onBack(error.message)
      // Never resolves: this step is gone.
      return new Promise(() => {})
    }
  }
}

export type UnlessExpired = <Result>(result: Promise<Result>) => Promise<Result>
