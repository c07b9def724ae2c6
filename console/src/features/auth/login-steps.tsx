import { useState } from 'react'
import { Card } from './card.tsx'
import { SignInSteps, type SignInStepsProps } from './steps.tsx'

/** The rest of a sign-in, in the card of the login page. */
export function LoginSteps(props: Omit<SignInStepsProps, 'onTitle'>) {
  const { next, methods } = props.signIn
  const [title, setTitle] = useState('Second factor')
  // The step itself focuses the field for the code.
  const hasField = next === 'second_factor' && (methods.includes('authenticator') || !methods.includes('passkey'))
  return (
    <Card title={title} isHeadingFocused={!hasField}>
      <SignInSteps {...props} onTitle={setTitle} />
    </Card>
  )
}
