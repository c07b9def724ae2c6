import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import type { Sheet } from '@watchdesk/contract/sheets'
import { type SubmitEvent, useState } from 'react'
import classes from '../../ui/dialog/dialog.module.css'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { formatMomentsIn } from '../../ui/display/format.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { loadSchema, validate } from '../../ui/form/field-errors.ts'
import { failureOf } from '../../ui/form/use-action.ts'
import { renameSheet } from './queries.ts'

type Renamed = Pick<Sheet, 'id' | 'title' | 'version'>

/** Renames a sheet; resolves to its new title, or undefined if nothing changed. */
export function openRenameDialog(sheet: Renamed) {
  return openDialog<string | undefined>('Rename sheet', undefined, (answer) => (
    <RenameForm sheet={sheet} answer={answer} />
  ))
}

function RenameForm({ sheet, answer }: { sheet: Renamed; answer: (title: string | undefined) => void }) {
  const [title, setTitle] = useState(sheet.title)
  const [failure, setFailure] = useState('')
  const [pending, setPending] = useState(false)

  async function send() {
    setPending(true)
    try {
      const schema = await loadSchema(() => import('@watchdesk/contract/sheets.schema').then((all) => all.SheetUpdate))
      const { errors, ...checked } = await validate(schema, { title })
      if (errors) return refuse(errors.title ?? '')
      if ('body' in checked && checked.body.title === sheet.title) return answer(undefined)
      answer((await renameSheet(sheet, title)).title)
    } catch (error) {
      refuse(formatMomentsIn(failureOf(error).text))
    }
  }

  function refuse(text: string) {
    setFailure(text)
    setPending(false)
  }

  return (
    <form
      className={classes.form}
      noValidate
      aria-busy={pending}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        if (!pending) void send()
      }}
    >
      <TextInput
        label="Title"
        value={title}
        onChange={(event) => {
          setTitle(event.currentTarget.value)
          setFailure('')
        }}
        onFocus={(event) => event.currentTarget.select()}
        error={failure}
        autoComplete="off"
        readOnly={pending}
        data-autofocus
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={() => answer(undefined)}>
          Cancel
        </Button>
        {pending ? <Loading label="Renaming" /> : <Button type="submit">Rename</Button>}
      </div>
    </form>
  )
}
