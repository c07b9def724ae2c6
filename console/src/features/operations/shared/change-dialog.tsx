import { Button } from '@mantine/core'
import type { BulkPreview } from '@watchdesk/contract/operations/changes'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../../api/call.ts'
import { useIdempotencyKey } from '../../../api/idempotency-key.ts'
import { openDialog } from '../../../ui/dialog/dialogs.tsx'
import { formatCount } from '../../../ui/display/format.ts'
import { Loading } from '../../../ui/feedback/loading.tsx'
import { useIsLong } from '../../../ui/feedback/use-is-long.ts'
import { FailureText } from '../../../ui/form/action-form.tsx'
import { finishTyping, keepFocus } from '../../../ui/form/finish-typing.ts'
import { type Failure, failureOf } from '../../../ui/form/use-action.ts'
import type { BulkOperation } from './bulk-operation.ts'
import classes from './change-dialog.module.css'
import type { Chosen, Records } from './change-queries.ts'
import { Preview } from './preview.tsx'

type Question<Change> = {
  records: Records<Change>
  operation: BulkOperation<Change, unknown>
  chosen: Chosen<Change>
  /** How many are chosen. */
  count: number
  /** Makes the change and says so. */
  send: (body: Parameters<Records<Change>['change']>[0], key: string) => Promise<void>
}

/** Asks what to change, shows what will change, asks, and changes it. What fails keeps the dialog. */
export function askChange<Change>(question: Question<Change>) {
  return openDialog<void>(
    question.operation.title,
    undefined,
    (answer) => <ChangeForm {...question} onClose={() => answer()} />,
    'lg',
  )
}

type Pending = 'preview' | 'change'

function ChangeForm<Change>(props: Question<Change> & { onClose: () => void }) {
  const { records, operation, chosen, count, send, onClose } = props
  const { Fields, isDanger, verb, note } = operation
  const [values, setValues] = useState(operation.initial)
  // Some fields commit the typed text only on submit.
  const latest = useRef(values)
  const [problem, setProblem] = useState<string>()
  const [preview, setPreview] = useState<BulkPreview>()
  const [pending, setPending] = useState<Pending>()
  const [failure, setFailure] = useState<Failure>()
  const { keyOf, renewKey } = useIdempotencyKey()
  const isLong = useIsLong(pending === 'change')
  const counted = (number: number) => formatCount(number, records.noun)
  const body = () => ({ ...operation.wanted(latest.current), ...chosen }) as Change

  /** The reason why the server did not make the change stays, with the new numbers. */
  async function look(reason?: Failure) {
    setPending('preview')
    setFailure(reason)
    try {
      setPreview(await records.preview(body()))
    } catch (error) {
      setFailure(failureOf(error))
    }
    setPending(undefined)
  }

  async function change({ count, changed_count, checksum }: BulkPreview) {
    setPending('change')
    setFailure(undefined)
    const seen = { expected_count: count, expected_changed_count: changed_count, expected_checksum: checksum }
    const sent = { ...body(), ...seen }
    try {
      await send(sent, keyOf(JSON.stringify(sent)))
      onClose()
    } catch (error) {
      setPending(undefined)
      if (!(error instanceof ApiError) || error.status !== 409) return setFailure(failureOf(error))
      renewKey()
      await look({ text: `Nothing was changed. ${error.text}` })
    }
  }

  function back() {
    setPreview(undefined)
    setFailure(undefined)
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (pending || !finishTyping(form)) return
    if (preview) return void change(preview)
    const wrong = operation.problemOf?.(latest.current)
    flushSync(() => setProblem(wrong))
    if (wrong === undefined) void look()
    else form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: without fields, the dialog starts with the preview
  useEffect(() => {
    if (!Fields) void look()
  }, [])

  const isNothing = preview?.changed_count === 0
  return (
    <form className={classes.form} noValidate onSubmit={submit} aria-busy={pending !== undefined}>
      {failure && <FailureText failure={failure} />}
      {preview ? (
        <Preview preview={preview} body={body()} records={records} operation={operation} values={values} />
      ) : (
        <>
          <p className={classes.who}>{whoText(counted(count), chosen)}</p>
          {Fields ? (
            <div className={classes.form} inert={pending !== undefined}>
              <Fields
                values={values}
                problem={problem}
                onChange={(changed) => {
                  latest.current = changed
                  setValues(changed)
                  setProblem(undefined)
                  setFailure(undefined)
                }}
              />
            </div>
          ) : (
            pending && <Loading label="Checking what will change" />
          )}
        </>
      )}
      {preview && !isNothing && note && <p className={classes.soft}>{note}</p>}
      <div className={classes.actions}>
        <span className={classes.pending} aria-live="polite">
          {pending === 'change' && (isLong ? 'Working. You can close this: it continues.' : 'Working…')}
        </span>
        {preview && Fields && (
          <Button variant="subtle" disabled={pending !== undefined} onClick={back}>
            Back
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {pending === 'change' || isNothing ? 'Close' : 'Cancel'}
        </Button>
        {!isNothing && (
          <Button
            type="submit"
            loading={pending !== undefined}
            onMouseDown={keepFocus}
            {...(preview && isDanger && { color: 'red' })}
          >
            {preview ? `${verb} ${counted(preview.changed_count)}` : Fields ? 'Preview' : 'Try again'}
          </Button>
        )}
      </div>
    </form>
  )
}

/** 'For all 2,001 users that match.' */
function whoText(counted: string, chosen: object) {
  if (!('filter' in chosen)) return `For the ${counted} that you selected.`
  return Object.keys(chosen.filter as object).length > 0 ? `For all ${counted} that match.` : `For all ${counted}.`
}
