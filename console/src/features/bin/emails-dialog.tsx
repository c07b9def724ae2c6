import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import classes from '../../ui/dialog/dialog.module.css'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { type FieldErrors, fieldErrorsOf, loadSchema, validate } from '../../ui/form/field-errors.ts'
import { failureOf } from '../../ui/form/use-action.ts'
import type { NewEmail } from './kinds.ts'

/** A deleted user whose email is taken. */
type Clash = NewEmail & { name: string; taken_by: { name: string } | null }

type Question = {
  title: string
  clashes: Clash[]
  /** Restores with the new emails. A rejection is shown in the dialog, under the field that it is about. */
  restore: (emails: NewEmail[]) => Promise<unknown>
}

/** Asks for other emails and restores with them; resolves to true if it worked. */
export function restoreWithEmails({ title, ...question }: Question): Promise<boolean> {
  return openDialog<boolean>(title, false, (answer) => <EmailsForm {...question} answer={answer} />)
}

function EmailsForm({ clashes, restore, answer }: Omit<Question, 'title'> & { answer: (isDone: boolean) => void }) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState('')
  const [pending, setPending] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  function refuse(found: FieldErrors) {
    setErrors(found)
    const first = clashes.findIndex((_, index) => found[pathOf(index)])
    form.current?.querySelectorAll('input')[first]?.focus()
  }

  async function send(emails: NewEmail[]) {
    setFailure('')
    const wrong = await check(emails)
    if (Object.keys(wrong).length > 0) return refuse(wrong)
    setErrors({})
    setPending(true)
    try {
      await restore(emails)
      answer(true)
    } catch (error) {
      const found = errorsOf(error, clashes.length)
      if (Object.keys(found).length > 0) refuse(found)
      else setFailure(failureOf(error).text)
    } finally {
      setPending(false)
    }
  }

  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      aria-busy={pending}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const values = new FormData(event.currentTarget).getAll('email')
        if (!pending) void send(clashes.map(({ id }, index) => ({ id, email: String(values[index]).trim() })))
      }}
    >
      <p className={classes.text}>{explain(clashes)}</p>
      {clashes.map(({ id, name, email, taken_by }, index) => (
        <TextInput
          key={id}
          name="email"
          type="email"
          autoComplete="off"
          label={clashes.length === 1 ? 'Email' : `Email of ${name}`}
          description={clashes.length > 1 && `${taken_by?.name ?? 'Another user'} now has ${email}.`}
          defaultValue={email}
          error={errors[pathOf(index)]}
          readOnly={pending}
          data-autofocus={index === 0 || undefined}
        />
      ))}
      {failure && (
        <p className="error-text" role="alert">
          {failure}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={() => answer(false)}>
          Cancel
        </Button>
        {pending ? <Loading label="Restoring" /> : <Button type="submit">Restore</Button>}
      </div>
    </form>
  )
}

function explain(clashes: Clash[]) {
  const [one, ...more] = clashes
  if (!one || more.length > 0)
    return 'Other users now have the emails of these users. Enter another email for each of them.'
  return `${one.taken_by?.name ?? 'Another user'} now has the email ${one.email}. Enter another email for ${one.name}.`
}

function pathOf(index: number) {
  return `emails.${index}.email`
}

async function check(emails: NewEmail[]): Promise<FieldErrors> {
  const schema = await loadSchema(() =>
    import('@watchdesk/contract/workspaces.schema').then(({ WorkspaceRestore }) => WorkspaceRestore),
  ).catch(() => undefined)
  return (schema && (await validate(schema, { emails })).errors) ?? {}
}

/** The errors of a restore, by field. The only field has the error, whatever it is called in the response. */
function errorsOf(error: unknown, fields: number): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  if (fields === 1 && (error.status === 409 || error.status === 422)) return { [pathOf(0)]: error.text }
  return fieldErrorsOf(error.body)
}
