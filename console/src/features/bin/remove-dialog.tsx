import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import type { BinRecord } from '@watchdesk/contract/bin'
import { type SubmitEvent, useState } from 'react'
import classes from '../../ui/dialog/dialog.module.css'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { failureOf } from '../../ui/form/use-action.ts'
import { KINDS } from './kinds.ts'
import { removeRecord } from './queries.ts'

/** Deletes a record for good if its name is typed; resolves to true if it worked. */
export function removeForGood(record: BinRecord): Promise<boolean> {
  return openDialog<boolean>(`Delete ${record.name} for good?`, false, (answer) => (
    <RemoveForm record={record} answer={answer} />
  ))
}

function RemoveForm({ record, answer }: { record: BinRecord; answer: (isDone: boolean) => void }) {
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState('')
  const [pending, setPending] = useState(false)
  const isSame = typed.trim() === record.name.trim()

  async function send() {
    setPending(true)
    try {
      await removeRecord(record)
      answer(true)
    } catch (error) {
      setFailure(failureOf(error).text)
      setPending(false)
    }
  }

  return (
    <form
      className={classes.form}
      noValidate
      aria-busy={pending}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        if (isSame && !pending) void send()
      }}
    >
      <p className={classes.text}>
        {KINDS[record.kind]?.lost?.(record) ?? `This deletes ${record.name}.`} This cannot be undone.
      </p>
      <TextInput
        label={`To confirm, type “${record.name}”`}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setFailure('')
        }}
        error={failure}
        autoComplete="off"
        spellCheck={false}
        readOnly={pending}
        data-autofocus
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={() => answer(false)}>
          Cancel
        </Button>
        {pending ? (
          <Loading label="Deleting" />
        ) : (
          <Button type="submit" color="red" disabled={!isSame}>
            Delete for good
          </Button>
        )}
      </div>
    </form>
  )
}
