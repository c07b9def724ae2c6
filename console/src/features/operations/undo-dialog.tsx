import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Operation, Undo, UndoPreview } from '@watchdesk/contract/operations/operations'
import { useState } from 'react'
import { useIdempotencyKey } from '../../api/idempotency-key.ts'
import dialogClasses from '../../ui/dialog/dialog.module.css'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { formatCount } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { useIsLong } from '../../ui/feedback/use-is-long.ts'
import { FailureText } from '../../ui/form/action-form.tsx'
import { type Failure, failureOf } from '../../ui/form/use-action.ts'
import { ChangedRows } from './changed-rows.tsx'
import { undoPreviewQuery } from './queries.ts'
import { type Chosen, effectsText, effectsWith } from './shared/effects.ts'
import { originPhrase } from './shared/words.ts'
import classes from './undo-dialog.module.css'
import type { Undone } from './use-undo.ts'

type Send = (changed: Undo['changed'], key: string) => Promise<Operation>

/** Shows what the undo does, asks, and undoes. Resolves to the undo; undefined if the user cancels. */
export function askUndo(undone: Undone, send: Send): Promise<Operation | undefined> {
  const title = `${undone.isRedo ? 'Redo' : 'Undo'} ${originPhrase(undone.of)}?`
  return openDialog<Operation | undefined>(
    title,
    undefined,
    (answer) => <UndoQuestion undone={undone} send={send} onAnswer={answer} />,
    'lg',
  )
}

type QuestionProps = { undone: Undone; send: Send; onAnswer: (undo: Operation | undefined) => void }

function UndoQuestion({ undone, ...props }: QuestionProps) {
  const { data: preview, error, refetch } = useQuery(undoPreviewQuery(undone.id))
  if (preview) return <Question preview={preview} undone={undone} {...props} />
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return <Loading label="Checking what would change" />
}

function Question({ preview, undone, send, onAnswer }: QuestionProps & { preview: UndoPreview }) {
  const [chosen, setChosen] = useState<Chosen>(new Set())
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const isLong = useIsLong(pending)
  const { keyOf } = useIdempotencyKey()
  const { changed_count, gone_count, problem } = preview
  const { effects: all, others } = effectsWith(preview, chosen)
  const effects = effectsText(all, undone.isRedo, others)
  const count = chosen === 'all' ? changed_count : chosen.size
  const isNothing = effects === undefined && count === 0
  const verb = undone.isRedo ? 'Redo' : 'Undo'

  async function run() {
    if (pending) return
    setPending(true)
    setFailure(undefined)
    const changed = chosen === 'all' ? 'all' : chosen.size === 0 ? 'leave' : [...chosen]
    try {
      onAnswer(await send(changed, keyOf(String(changed))))
    } catch (error) {
      setFailure(failureOf(error))
      setPending(false)
    }
  }

  return (
    <>
      {problem ? (
        <p className={classes.problem}>{problem}</p>
      ) : (
        <p className={classes.effects} aria-live="polite">
          {effects ?? nothingText(changed_count, count)}.
        </p>
      )}
      {!problem && changed_count > 0 && (
        <ChangedRows
          preview={preview}
          kind={undone.of.origin_kind}
          isRedo={undone.isRedo}
          chosen={chosen}
          onChange={setChosen}
          isDisabled={pending}
        />
      )}
      {gone_count > 0 && (
        <p className={classes.soft}>
          {formatCount(gone_count, 'row')} cannot be changed back, because{' '}
          {gone_count === 1 ? 'it no longer exists' : 'they no longer exist'} or the same text exists again.
        </p>
      )}
      {failure && <FailureText failure={failure} />}
      <div className={dialogClasses.actions}>
        <span className={classes.soft} aria-live="polite">
          {pending && (isLong ? 'Working. You can close this: it continues.' : 'Working…')}
        </span>
        <Button variant="default" onClick={() => onAnswer(undefined)} data-autofocus>
          {pending ? 'Close' : 'Cancel'}
        </Button>
        <Button loading={pending} disabled={problem !== null || isNothing} onClick={() => void run()}>
          {verb}
        </Button>
      </div>
    </>
  )
}

function nothingText(changed: number, chosen: number) {
  if (changed === 0) return 'There is nothing left to change'
  return chosen > 0 ? 'Changes only what you chose below' : 'Changes nothing by itself'
}
