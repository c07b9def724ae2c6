import { lazy, Suspense, useEffect, useState } from 'react'
import { onSessionLost, type SignInReason } from '../../api/session-lost.ts'
import { onTokenChangedElsewhere } from '../../api/token.ts'
import { endSessionOf } from './queries.ts'

const Dialog = lazy(() =>
  import('./sign-in-again-dialog.tsx').then((module) => ({ default: module.SignInAgainDialog })),
)

type Question = { reason: SignInReason; answer: (isSignedIn: boolean) => void }

/**
 * Asks the user to sign in again, in a dialog, when the session has expired or a call needs a recent sign-in; then the
 * rejected call is retried.
 */
export function SignInAgain() {
  const [question, setQuestion] = useState<Question>()

  useEffect(
    () =>
      onSessionLost(
        (reason, refused) =>
          new Promise<boolean>((resolve) => {
            setQuestion({
              reason,
              answer: (isSignedIn) => {
                setQuestion(undefined)
                // The new session replaces it.
                if (isSignedIn && reason === 'confirm') void endSessionOf(refused)
                resolve(isSignedIn)
              },
            })
          }),
      ),
    [],
  )

  // The user has signed in in another tab, or in the window of the provider.
  useEffect(() => question && onTokenChangedElsewhere((token) => token !== null && question.answer(true)), [question])

  return (
    question && (
      <Suspense>
        <Dialog
          reason={question.reason}
          onSignedIn={() => question.answer(true)}
          onCancel={() => question.answer(false)}
        />
      </Suspense>
    )
  )
}
