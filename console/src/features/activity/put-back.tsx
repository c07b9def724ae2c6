import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { lazy, Suspense, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import dialogClasses from '../../ui/dialog/dialog.module.css'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { formatMomentsIn } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { failureOf } from '../../ui/form/use-action.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import classes from './put-back.module.css'
import { PutBackFields } from './put-back-fields.tsx'
import { putBack, putBackQuery, type Side } from './shared/history-queries.ts'
import { labelOf } from './shared/labels.ts'

/** How a record was before or after an event; with `field`, only this field of it. */
export type Then = { event: AuditEvent; side: Side; field?: string }

/** Shows what would change, and resolves to the labels of the fields that were put back. */
export function askPutBack(then: Then): Promise<string[] | undefined> {
  const { event, side, field } = then
  const title = field
    ? `Put back ${labelOf(event.entity, field)}?`
    : `Put everything back to how it was ${side} this change?`
  return openDialog<string[] | undefined>(title, undefined, (answer) => <PutBack {...then} onAnswer={answer} />, 'xl')
}

/** Loaded only for the few fields that take effect on others. */
const Impact = lazy(() => import('../workspaces/shared/impact.tsx').then((module) => ({ default: module.Impact })))

type PutBackProps = Then & { onAnswer: (labels?: string[]) => void }

function PutBack({ event, side, field, onAnswer }: PutBackProps) {
  const preview = useQuery(putBackQuery(event.id, side))
  const [left, setLeft] = useState<string[]>([])
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { data } = preview
  const fields = data?.fields.filter((row) => field === undefined || row.field === field)
  const chosen = (fields ?? [])
    .filter((row) => row.problem === null && !left.includes(row.field))
    .map((row) => row.field)

  const deactivates =
    event.entity === 'workspace' &&
    fields?.some((row) => row.field === 'status' && row.earlier === 'DEACTIVATED' && chosen.includes(row.field))

  async function send(version: number) {
    setSending(true)
    setProblem(undefined)
    try {
      await putBack(event.id, { side, fields: chosen }, version)
      onAnswer(chosen.map((name) => labelOf(event.entity, name)))
    } catch (error) {
      const { text } = failureOf(error)
      const isOutdated = error instanceof ApiError && error.status === 412
      if (isOutdated) await preview.refetch()
      setProblem(formatMomentsIn(text) + (isOutdated ? ' The table shows the values now. Check them again.' : ''))
    } finally {
      setSending(false)
    }
  }

  return (
    <>
      {!fields ? (
        <Waiting error={preview.error} retry={() => void preview.refetch()} />
      ) : fields.length === 0 ? (
        <p className={dialogClasses.text}>
          {field ? 'It already has this value.' : 'Nothing has changed since then.'} There is nothing to put back.
        </p>
      ) : (
        <PutBackFields
          entity={event.entity}
          fields={fields}
          chosen={chosen}
          isSingle={field !== undefined}
          onChange={(name, isChosen) => setLeft(isChosen ? left.filter((other) => other !== name) : [...left, name])}
        />
      )}
      {deactivates && event.entity_id !== null && (
        <Suspense>
          <p className={dialogClasses.text}>This deactivates the workspace, so its users cannot sign in any more.</p>
          <Impact id={event.entity_id} />
        </Suspense>
      )}
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={dialogClasses.actions}>
        <Button variant="default" onClick={() => onAnswer()} data-autofocus>
          {fields?.length === 0 ? 'Close' : 'Cancel'}
        </Button>
        {isSending ? (
          <Loading label="Putting back" />
        ) : (
          data &&
          fields?.length !== 0 && (
            <Button disabled={chosen.length === 0} onClick={() => void send(data.version)}>
              Put back
            </Button>
          )
        )}
      </div>
    </>
  )
}

/** A loader, or why there is no preview. A deleted record is restored from the bin first. */
function Waiting({ error, retry }: { error: unknown; retry: () => void }) {
  if (!error) return <Loading />
  return (
    <div className={classes.failed}>
      {error instanceof ApiError && /deleted/.test(error.text) ? (
        <>
          <p className={classes.problem} role="alert">
            {error.text}
          </p>
          <Link {...linkTo({ to: '/bin', search: {} })}>Open the bin</Link>
        </>
      ) : (
        <Failed error={error} retry={retry} />
      )}
    </div>
  )
}
