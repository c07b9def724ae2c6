import { lazy, Suspense, useEffect, useState } from 'react'
import { onSessionLost } from '../../api/session-lost.ts'
import { onTokenChangedElsewhere } from '../../api/token.ts'

const Dialog = lazy(() =>
  import('./sign-in-again-dialog.tsx').then((module) => ({ default: module.SignInAgainDialog })),
)

type Answer = (isSignedIn: boolean) => void

/** When the session has expired, asks for the password in a dialog; then the rejected call is retried. */
export function SignInAgain() {
  const [answer, setAnswer] = useState<Answer>()

  useEffect(
    () =>
      onSessionLost(
        () =>
          new Promise<boolean>((resolve) => {
            setAnswer(() => (isSignedIn: boolean) => {
              setAnswer(undefined)
              resolve(isSignedIn)
            })
          }),
      ),
    [],
  )

  // The user has signed in in another tab.
  useEffect(() => answer && onTokenChangedElsewhere((token) => token !== null && answer(true)), [answer])

  return answer && <Suspense>{<Dialog onSignedIn={() => answer(true)} />}</Suspense>
}
