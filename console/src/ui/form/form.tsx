import '@mantine/core/styles/Input.layer.css'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, type SubmitEvent, useEffect, useRef } from 'react'
import { Loading } from '../feedback/loading.tsx'
import type { LinkTarget } from '../navigation/back-link.ts'
import { SAVE_KEY, useSaveKey } from '../navigation/shortcuts.ts'
import { AuditorNote, useCanChange } from '../page/can-change.tsx'
import { finishTyping, keepFocus } from './finish-typing.ts'
import classes from './form.module.css'
import { useRestoreFocus } from './use-restore-focus.ts'
import type { Save } from './use-save.ts'

type FormProps<Values> = {
  save: Save<Values>
  /** The label of the submit button. */
  action: string
  cancel?: LinkTarget
  /** The label of a second button, which saves and then resets the form. */
  another?: string
  /** A form that creates something focuses its first empty field. */
  isNew?: boolean
  /** One of several forms of a page: its buttons do not stay on the screen. */
  isPart?: boolean
  /** A message above the buttons, such as that somebody else has saved a newer version. */
  notice?: ReactNode
  children: ReactNode
}

/** A form; for auditors, only its fields to look at. */
export function Form<Values>(props: FormProps<Values>) {
  if (useCanChange()) return <ChangingForm {...props} />
  return (
    <div className={classes.form}>
      <AuditorNote />
      <div className={classes.fields}>{props.children}</div>
    </div>
  )
}

/** With a sticky bar, which shows unsaved changes, and a loader in place of the button while saving. */
function ChangingForm<Values>(props: FormProps<Values>) {
  const { save, action, cancel, another, isNew = false, isPart = false, notice, children } = props
  const element = useRef<HTMLFormElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { pending, refusals, hasChanges, submit, prepare } = save
  const { errors } = save.form

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a rejected submit moves the focus
  useEffect(() => {
    if (refusals === 0 || pending) return
    const fields = element.current?.querySelectorAll<HTMLElement>('[data-path]') ?? []
    const wrong = [...fields].find(({ dataset }) => dataset.path && isWrong(errors, dataset.path))
    wrong?.focus()
  }, [refusals, pending])
  useRestoreFocus(pending, button)
  useSaveKey(element)
  useFocusFirstField(element, save, isNew)

  function send(isAnother?: boolean) {
    if (element.current && finishTyping(element.current)) submit(isAnother)
  }

  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      aria-busy={pending}
      // If the page sets the focus itself, only typing shows that the form is in use.
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
      <div className={isPart ? classes.end : classes.bar}>
        {notice && (
          <div className={classes.notice} role="status">
            {/* While saving, the newer version may be the user's own. */}
            {!pending && notice}
          </div>
        )}
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
                // Not a submit button: Enter clicks the first of those.
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

function useFocusFirstField<Values>(form: RefObject<HTMLFormElement | null>, save: Save<Values>, isWanted: boolean) {
  // At first, and after every reset.
  const done = useRef(-1)
  useEffect(() => {
    const { pending, restarts } = save
    if (!isWanted || pending || done.current === restarts) return
    done.current = restarts
    const fields = form.current?.querySelectorAll<HTMLInputElement>('[data-path]:enabled') ?? []
    const empty = [...fields].filter(({ value }) => value === '')
    // The name of the selected option may still be loading.
    const first = empty.find(({ dataset }) => !save.form.getInputProps(dataset.path ?? '').value)
    first?.focus({ preventScroll: restarts === 0 })
  }, [form, save, isWanted])
}

function isWrong(errors: Record<string, ReactNode>, path: string) {
  return Object.keys(errors).some((wrong) => wrong === path || wrong.startsWith(`${path}.`))
}

/** A card with related fields. */
export function FormSheet({ children }: { children: ReactNode }) {
  return <Fields className={classes.sheet}>{children}</Fields>
}

/** Auditors cannot change the fields inside. */
export function Fields({ children, ...props }: { id?: string; className?: string | undefined; children: ReactNode }) {
  if (useCanChange()) return <div {...props}>{children}</div>
  return (
    <fieldset disabled {...props}>
      {children}
    </fieldset>
  )
}

/** Fields side by side if the width allows. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}
