import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Button, Select, Switch, TextInput } from '@mantine/core'
import type { NewToken } from '@watchdesk/contract/auth/tokens'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import classes from '../../ui/dialog/dialog.module.css'
import { holdDialog, openDialog } from '../../ui/dialog/dialogs.tsx'
import { CopyValue } from '../../ui/display/copy-value.tsx'
import { formatMoment } from '../../ui/display/format.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { FailureText } from '../../ui/form/action-form.tsx'
import { useAction } from '../../ui/form/use-action.ts'
import { useShownOnce } from '../../ui/navigation/use-shown-once.ts'
import { createToken } from './queries.ts'

const DAYS = [30, 90, 180, 366].map((days) => ({ value: String(days), label: `${days} days` }))

/** Whether a token was created. Those of auditors can only read. */
export function createTokenInDialog(isAuditor: boolean): Promise<boolean> {
  return openDialog('Create token', false, (answer) => <CreateToken isAuditor={isAuditor} onEnd={answer} />)
}

type CreateTokenProps = { isAuditor: boolean; onEnd: (isCreated: boolean) => void }

function CreateToken({ isAuditor, onEnd }: CreateTokenProps) {
  const [values, setValues] = useState({ name: '', days: '90', is_read_only: true })
  const [created, setCreated] = useState<NewToken>()
  const action = useAction({
    body: () => ({ ...values, days: Number(values.days) }),
    schema: () => import('@watchdesk/contract/auth/tokens.schema').then((schema) => schema.TokenCreate),
    // It is shown only once.
    send: async (body) => setCreated(await holdDialog(() => createToken(body))),
  })
  const { pending, failure, errors, changed } = action
  const [isSaved, setSaved] = useState(false)
  const isLeaving = useShownOnce(pending || (created !== undefined && !isSaved))
  if (created) return <CreatedToken token={created} isLeaving={isLeaving} onSaved={finish} />

  function finish() {
    setSaved(true)
    onEnd(true)
  }

  function change(field: keyof typeof values, value: string | boolean) {
    setValues({ ...values, [field]: value })
    changed(field)
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        action.submit()
      }}
    >
      <TextInput
        label="Name"
        description="What it is for, such as the program that uses it"
        required
        autoComplete="off"
        data-autofocus
        readOnly={pending}
        error={errors.name}
        value={values.name}
        onChange={(event) => change('name', event.currentTarget.value)}
      />
      <Select
        label="Valid for"
        data={DAYS}
        allowDeselect={false}
        readOnly={pending}
        error={errors.days}
        value={values.days}
        onChange={(days) => change('days', days ?? '90')}
      />
      {!isAuditor && (
        <Switch
          label="Read only"
          description="The token can read what you can read, and change nothing"
          disabled={pending}
          checked={values.is_read_only}
          onChange={(event) => change('is_read_only', event.currentTarget.checked)}
        />
      )}
      {failure && <FailureText failure={failure} />}
      <div className={classes.actions}>
        <Button variant="default" disabled={pending} onClick={() => onEnd(false)}>
          Cancel
        </Button>
        {pending ? <Loading label="Creating the token" /> : <Button type="submit">Create token</Button>}
      </div>
    </form>
  )
}

type CreatedTokenProps = { token: NewToken; isLeaving: boolean; onSaved: () => void }

function CreatedToken({ token: { name, token, expires_at }, isLeaving, onSaved }: CreatedTokenProps) {
  const element = useRef<HTMLDivElement>(null)
  // On the button that copies, so that a second Enter does not close the dialog.
  useEffect(() => element.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={element} className={classes.form} role="status">
      <p className={classes.text}>
        Copy the token “{name}” now. It is not shown again. It is valid until {formatMoment(expires_at)}.
      </p>
      <CopyValue label={`token ${name}`} text={token} />
      {isLeaving && (
        <p className="error-text" role="alert">
          Save the token first. It is not shown again.
        </p>
      )}
      <div className={classes.actions}>
        <Button onClick={onSaved}>I have saved it</Button>
      </div>
    </div>
  )
}
