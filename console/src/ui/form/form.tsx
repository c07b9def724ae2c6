import '@mantine/core/styles/Input.layer.css'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, type SubmitEvent, useEffect, useRef } from 'react'
import { Loading } from '../feedback/loading.tsx'
import type { LinkTarget } from '../navigation/back-link.ts'
import { SAVE_KEY, useSaveKey } from '../navigation/shortcuts.ts'
import { finishTyping, keepFocus } from './finish-typing.ts'
import classes from './form.module.css'
import { useRestoreFocus } from './use-restore-focus.ts'
import type { Save } from './use-save.ts'

type FormProps<Values> = {
  save: Save<Values>
  /** What the button says. */
  action: string
  cancel?: LinkTarget
  /** What a second button says that saves too, and begins anew. */
  another?: string
  /** The form creates something: its first empty field has the focus. */
  isNew?: boolean
  children: ReactNode
}

/** A form with its bar, which stays in view: says what is not saved, and waits in the button's place. */
export function Form<Values>({ save, action, cancel, another, isNew = false, children }: FormProps<Values>) {
  const element = useRef<HTMLFormElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { pending, refusals, hasChanges, submit, prepare } = save
  const { errors } = save.form

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refused submit moves the focus
  useEffect(() => {
    if (refusals === 0 || pending) return
    const fields = element.current?.querySelectorAll<HTMLElement>('[data-path]') ?? []
    const wrong = [...fields].find(({ dataset }) => dataset.path && isWrong(errors, dataset.path))
    wrong?.focus()
  }, [refusals, pending])
  useRestoreFocus(pending, button)
  useSaveKey(element)
  useFirstFieldFocused(element, save, isNew)

  function send(isAnother?: boolean) {
    if (element.current && finishTyping(element.current)) submit(isAnother)
  }

  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      aria-busy={pending}
      // Where the page itself sets the focus, only what is typed says that the form is used.
      onFocus={isNew ? undefined : prepare}
      onInput={prepare}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={classes.fields} inert={pending}>
        {children}
      </div>
      <div className={classes.bar}>
        <span className={classes.state} aria-live="polite">
          {hasChanges && 'Unsaved changes'}
        </span>
        {cancel && (
          <Button variant="default" renderRoot={(props) => <Link {...cancel} {...props} />}>
            Cancel
          </Button>
        )}
        <div className={classes.action}>
          {pending ? (
            <Loading label="Saving" />
          ) : (
            <>
              {another && (
                // Not a submit button: Enter presses the first of those.
                <Button variant="default" onMouseDown={keepFocus} onClick={() => send(true)} data-another>
                  {another}
                </Button>
              )}
              <Button
                ref={button}
                type="submit"
                onMouseDown={keepFocus}
                title={SAVE_KEY.label}
                aria-keyshortcuts={SAVE_KEY.aria}
              >
                {action}
              </Button>
            </>
          )}
        </div>
      </div>
    </form>
  )
}

function useFirstFieldFocused<Values>(form: RefObject<HTMLFormElement | null>, save: Save<Values>, isWanted: boolean) {
  // Once at the start, and whenever the form begins anew.
  const done = useRef(-1)
  useEffect(() => {
    const { pending, restarts } = save
    if (!isWanted || pending || done.current === restarts) return
    done.current = restarts
    const fields = form.current?.querySelectorAll<HTMLInputElement>('[data-path]:enabled') ?? []
    const empty = [...fields].filter(({ value }) => value === '')
    // The name of what is chosen may still be on its way.
    const first = empty.find(({ dataset }) => !save.form.getInputProps(dataset.path ?? '').value)
    first?.focus({ preventScroll: restarts === 0 })
  }, [form, save, isWanted])
}

function isWrong(errors: Record<string, ReactNode>, path: string) {
  return Object.keys(errors).some((wrong) => wrong === path || wrong.startsWith(`${path}.`))
}

/** Fields that belong together, on a sheet of their own. */
export function FormSheet({ children }: { children: ReactNode }) {
  return <div className={classes.sheet}>{children}</div>
}

/** Fields beside each other where there is room. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}
