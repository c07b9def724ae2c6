import '@mantine/core/styles/Input.layer.css'
import { Button, Title } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react'
import { Loading } from '../feedback/loading.tsx'
import classes from './action-form.module.css'
import { finishTyping, keepFocus } from './finish-typing.ts'
import type { Action, Failure } from './use-action.ts'
import { useRestoreFocus } from './use-restore-focus.ts'

type ActionFormProps = {
  action: Action
  /** The heading of the card; not needed on a page with one form. */
  title?: string
  button: string
  /** The loader's label, which replaces the button while waiting. */
  waiting?: ReactNode
  /** The result, below the form. */
  result?: ReactNode
  children: ReactNode
}

/** A card with fields and one button, which a loader replaces while waiting, and the result below. */
export function ActionForm({ action, title, button, waiting, result, children }: ActionFormProps) {
  const titleId = useId()
  const form = useRef<HTMLFormElement>(null)
  const submit = useRef<HTMLButtonElement>(null)
  const { pending, failure, errors, refusals, prepare } = action

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a rejected submit moves the focus
  useEffect(() => {
    if (pending) return
    const fields = form.current?.querySelectorAll<HTMLElement>('[data-path]') ?? []
    const wrong = [...fields].find(({ dataset }) => dataset.path && errors[dataset.path])
    wrong?.focus()
  }, [refusals, pending])
  useRestoreFocus(pending, submit)

  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      aria-labelledby={title && titleId}
      aria-busy={pending}
      onFocus={prepare}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        if (finishTyping(event.currentTarget)) action.submit()
      }}
    >
      {title && (
        <Title order={2} id={titleId}>
          {title}
        </Title>
      )}
      <div className={classes.fields} inert={pending}>
        {children}
      </div>
      <div className={classes.action}>
        {pending ? (
          (waiting ?? <Loading label={button} />)
        ) : (
          <Button ref={submit} type="submit" onMouseDown={keepFocus}>
            {button}
          </Button>
        )}
      </div>
      {failure && <FailureText failure={failure} />}
      {result}
    </form>
  )
}

/** Red text, one line per message. */
export function FailureText({ failure: { text, hint } }: { failure: Failure }) {
  return (
    <div className="error-text" role="alert">
      {text}
      {hint && <div className={classes.hint}>{hint}</div>}
    </div>
  )
}
