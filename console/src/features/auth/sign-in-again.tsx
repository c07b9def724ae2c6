import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { onSessionLost, type SignInReason } from '../../api/session-lost.ts'
import { onTokenChangedElsewhere, onTokenToCheck, tokenOfThisUser } from '../../api/token.ts'
import { currentUserQuery, endSessionOf } from './queries.ts'
import { leaveToOtherUser } from './same-user.ts'

const Dialog = lazy(() =>
  import('./sign-in-again-dialog.tsx').then((module) => ({ default: module.SignInAgainDialog })),
)

type Question = { reason: SignInReason; answer: (isSignedIn: boolean) => Promise<void> }

/**
 * Asks the user to sign in again, in a dialog, when the session has expired or a call needs a recent sign-in; then the
 * rejected call is retried.
 */
export function SignInAgain() {
  const [question, setQuestion] = useState<Question>()
  const client = useQueryClient()

  useEffect(
    () =>
      onSessionLost(
        (reason, refused) =>
          new Promise<boolean>((resolve) => {
            setQuestion({
              reason,
              answer: async (isSignedIn) => {
                setQuestion(undefined)
                // The new session replaces it.
                if (isSignedIn && reason === 'confirm') void endSessionOf(refused)
                // A new role ends the sessions, so the user may have other rights than before.
                if (isSignedIn) await client.refetchQueries({ queryKey: currentUserQuery.queryKey })
                resolve(isSignedIn)
              },
            })
          }),
      ),
    [client],
  )

  useEffect(
    () => onTokenToCheck((token) => leaveToOtherUser(token, client.getQueryData(currentUserQuery.queryKey))),
    [client],
  )

  // Someone has signed in in another tab, or in the window of the provider.
  useEffect(
    () =>
      onTokenChangedElsewhere(async () => {
        if ((await tokenOfThisUser()) !== null) await question?.answer(true)
      }),
    [question],
  )

  return (
    question && (
      <Suspense>
        <Dialog
          reason={question.reason}
          onSignedIn={() => void question.answer(true)}
          onCancel={() => void question.answer(false)}
        />
      </Suspense>
    )
  )
}
