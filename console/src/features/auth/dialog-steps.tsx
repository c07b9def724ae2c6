import { useEffect, useRef, useState } from 'react'
import classes from '../../ui/dialog/dialog.module.css'
import { SignInSteps, type SignInStepsProps } from './steps.tsx'

/** The rest of a sign-in, below the title of a dialog. */
export function DialogSteps(props: Omit<SignInStepsProps, 'onTitle'>) {
  const [title, setTitle] = useState('Second factor')
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another step
  useEffect(() => {
    // The first field of a step has focused itself.
    if (document.activeElement === document.body || props.signIn.next === 'set_up') heading.current?.focus()
  }, [title])
  return (
    <div className={classes.form}>
      <h3 ref={heading} tabIndex={-1} className="section-heading">
        {title}
      </h3>
      <SignInSteps {...props} onTitle={setTitle} />
    </div>
  )
}
