import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Button, Switch, Textarea } from '@mantine/core'
import { USERS_IN_AN_IMPORT } from '@watchdesk/contract/limits'
import type { UserSettings } from '@watchdesk/contract/user-row'
import { lazy, type SubmitEvent, Suspense, useEffect, useRef, useState } from 'react'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { FileField } from '../../ui/file/file-field.tsx'
import { FormRow } from '../../ui/form/form.tsx'
import { ChoiceFields } from '../users/shared/choice-fields.tsx'
import { WorkspaceSelect } from '../workspaces/shared/workspace-select.tsx'
import classes from './form.module.css'
import { textOf } from './rows.ts'
import { isReady, type PreviewRow, useChecked } from './use-checked.ts'
import { useFile } from './use-file.ts'

const Preview = lazy(() => import('./preview.tsx').then((module) => ({ default: module.Preview })))

export type UsersValues = {
  workspace_id: number | null
  /** Of all rows that have none of their own. */
  settings: UserSettings
  text: string
  /** Each chooses a password with a link. */
  invite: boolean
  /** Of the file that the text comes from. */
  name: string
}

type UsersFormProps = {
  values: UsersValues
  /** Whether users can be added to one workspace only. */
  isOwnOnly: boolean
  canInvite: boolean
  onChange: (changed: Partial<UsersValues>) => void
  onSubmit: (rows: PreviewRow[], workspace_id: number) => void
}

const EXAMPLE = 'Olena Kovalenko <olena@example.com>\nmarcus.reed@example.com'

const NO_ROLES = 'but cannot sign in to this console without one of the roles, such as Workspace admin'

const REPLACE = {
  title: 'Replace the list?',
  text: 'The rows of the file replace what you have written.',
  action: 'Replace',
  cancel: 'Keep editing',
}

export function UsersForm({ values, isOwnOnly, canInvite, onChange, onSubmit }: UsersFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [isSubmitted, setSubmitted] = useState(false)
  const [ignored, setIgnored] = useState<string[]>([])
  const { workspace_id, text, settings } = values
  /** The text as the file gave it. */
  const fromFile = useRef('')
  const { file, choose, isReading, error } = useFile((rows, { name }) => {
    setIgnored(rows.ignored)
    fromFile.current = textOf(rows)
    onChange({ text: fromFile.current, name })
  })
  const checked = useChecked(text, settings)
  const ready = checked.problem === undefined ? checked.rows.filter(isReady).length : 0
  const isEmpty = text.trim() === ''
  const nothing = isSubmitted && isEmpty ? 'Enter at least one email.' : undefined
  const each = checked.rows.length > 0 ? checked.rows : [{ settings }]
  const isAnyWithoutRole = each.some((row) => !row.settings.is_admin)
  const unused = [...new Set([...ignored, ...checked.ignored])]

  // Rows that were submitted before they are checked wait for it.
  const [isWaiting, setWaiting] = useState(false)
  const isBusy = isReading || (!isEmpty && checked.isChecking)
  useEffect(() => {
    if (!isWaiting || isBusy) return
    setWaiting(false)
    add()
  })

  async function chooseFile(chosen: File | null) {
    const isWritten = !isEmpty && text !== fromFile.current
    if (chosen && isWritten && !(await confirm(REPLACE))) return
    setIgnored([])
    choose(chosen)
    if (chosen) return
    // The rows of the file go with it, unless they were edited.
    onChange(isWritten ? { name: '' } : { name: '', text: '' })
  }

  /** What is written from now on does not come from the file. */
  function forgetFile() {
    if (!file || isReading) return
    setIgnored([])
    choose(null)
    onChange({ name: '' })
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setSubmitted(true)
    if (isBusy) setWaiting(true)
    else add()
  }

  function add() {
    if (isEmpty || checked.problem !== undefined || ready === 0) return field.current?.focus()
    if (workspace_id === null) return form.current?.querySelector<HTMLElement>('[data-workspace]')?.focus()
    onSubmit(checked.rows, workspace_id)
  }

  return (
    <form ref={form} className={classes.form} noValidate aria-busy={isWaiting} onSubmit={submit}>
      <div className={classes.sheet}>
        <Textarea
          ref={field}
          label="Emails and names"
          description={`One person per line, or a table with headings. At most ${formatNumber(USERS_IN_AN_IMPORT)}. A name that is missing is taken from an email such as marcus.reed@example.com.${isOwnOnly ? ' Some emails may turn out to be in use only when they are added.' : ''}`}
          rows={8}
          classNames={{ input: classes.text }}
          placeholder={EXAMPLE}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          value={text}
          error={nothing ?? (isEmpty ? undefined : checked.problem)}
          onPaste={({ currentTarget: { selectionStart, selectionEnd } }) => {
            if (selectionEnd - selectionStart === text.length) forgetFile()
          }}
          onChange={({ currentTarget: { value } }) => {
            setWaiting(false)
            if (value.trim() === '') forgetFile()
            onChange({ text: value })
          }}
        />
        <FileField
          label="Or a file"
          accept=".csv,.xlsx"
          file={file}
          error={error}
          description={
            unused.length > 0
              ? `Columns that are not used: ${unused.join(', ')}.`
              : 'With a column Email, and Name or First name and Last name. You can correct its rows above.'
          }
          onChange={(chosen) => void chooseFile(chosen)}
        />
      </div>
      <div className={classes.sheet}>
        <WorkspaceSelect
          label="Workspace"
          placeholder="Choose a workspace"
          required
          allowDeselect={false}
          disabled={isOwnOnly}
          data-workspace
          value={workspace_id}
          error={isSubmitted && workspace_id === null && 'Workspace is required!'}
          onChange={(id) => onChange({ workspace_id: id })}
        />
        <FormRow>
          <ChoiceFields
            propsOf={(field) => ({
              value: settings[field],
              onChange: (chosen) => onChange({ settings: { ...settings, [field]: chosen } }),
            })}
          />
        </FormRow>
        <Switch
          label="Workspace admin"
          description="All of them manage the users of this workspace"
          checked={settings.is_admin}
          onChange={(event) => onChange({ settings: { ...settings, is_admin: event.currentTarget.checked } })}
        />
        {canInvite && (
          <Switch
            label="Invite them"
            description={`Each chooses a password with a link, ${values.invite && isAnyWithoutRole ? NO_ROLES : 'instead of getting a generated one'}`}
            checked={values.invite}
            onChange={(event) => onChange({ invite: event.currentTarget.checked })}
          />
        )}
      </div>
      {checked.rows.length > 0 && (
        <Suspense fallback={<Loading label="Loading the preview" />}>
          <Preview rows={checked.rows} />
        </Suspense>
      )}
      <div className={classes.bar}>
        <span className={classes.state} role="status">
          {isReading
            ? 'Reading the file…'
            : isWaiting
              ? 'Checking…'
              : checked.rows.length > 0 && summaryOf(ready, checked.rows.length)}
        </span>
        <Button type="submit" disabled={isWaiting || isReading || (!isEmpty && !checked.isChecking && ready === 0)}>
          {ready > 0 ? `Add ${formatCount(ready, 'user')}` : 'Add users'}
        </Button>
      </div>
    </form>
  )
}

function summaryOf(ready: number, all: number) {
  if (ready === 0) return 'No users can be added'
  return ready === all
    ? `${formatCount(all, 'user')} can be added`
    : `${formatNumber(ready)} of ${formatNumber(all)} can be added`
}
