import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import type { Operation } from '@watchdesk/contract/operations/operations'
import type { ReactNode } from 'react'
import { formatCount, formatMoment } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { SheetLink } from '../sheets/shared/sheet-link.tsx'
import { isUnfinished } from './queries.ts'
import { Running } from './running.tsx'
import { KINDS } from './shared/kinds.ts'
import { Verified } from './shared/verified.tsx'
import { isUndo, originPhrase, resultText, STATE_MARKS } from './shared/words.ts'
import classes from './status.module.css'
import { useUndo } from './use-undo.ts'

type ShownProps = { shown: Operation }

/** How far the import is, or its result in words. */
export function OperationStatus({ shown }: ShownProps) {
  return (
    <section className={classes.card} data-state={shown.undone ? 'undone' : shown.state} aria-label="Result">
      {isUnfinished(shown) ? <Running shown={shown} /> : <Ended shown={shown} />}
    </section>
  )
}

function Ended({ shown }: ShownProps) {
  const { state, verification, error, undone, undoing, undoes } = shown
  return (
    <>
      {undone ? (
        <Undone shown={shown} undone={undone} />
      ) : (
        <p className={classes.result}>
          <Icon name={STATE_MARKS[state].icon} size={20} />
          <span>{headline(shown)}</span>
        </p>
      )}
      {undoing && (
        <p className={classes.line}>
          It is being {undoing.is_redo ? 'done again' : 'undone'} in the background.{' '}
          <OperationLink id={undoing.import_id}>Show its progress</OperationLink>
        </p>
      )}
      {error && <p className={classes.error}>{error}</p>}
      {verification && <Verified verification={verification} isPast={undone !== null} />}
      {undoes && (
        <p className={classes.line}>
          {undoVerb(shown)}
          <OperationLink id={undoes.id}>{shown.is_redo ? 'an undo' : originPhrase(shown)}</OperationLink>.
        </p>
      )}
      <Links shown={shown} />
    </>
  )
}

function undoVerb({ state, is_redo }: Operation) {
  if (state === 'done') return is_redo ? 'It took back ' : 'It undid '
  return is_redo ? 'It was to take back ' : 'It was to undo '
}

function headline(shown: Operation) {
  if (shown.state === 'failed') return 'Failed. Nothing was changed.'
  if (shown.state === 'cancelled') return 'Cancelled. Nothing was changed.'
  return resultText(shown)
}

/** What is true now is the headline; what the import had done is below it. */
function Undone({ shown, undone }: ShownProps & { undone: NonNullable<Operation['undone']> }) {
  const start = useUndo()
  const canChange = useCanChange()
  // An undo was taken back: its import is done again, for good.
  const isRedone = isUndo(shown)
  return (
    <>
      <div className={classes.undone}>
        <Icon name={isRedone ? 'redo' : 'undo'} size={20} />
        <p>
          <OperationLink id={undone.import_id}>{isRedone ? 'Redone' : 'Undone'}</OperationLink>
          {undone.by && ` by ${undone.by.name}`} on {formatMoment(undone.at)}
          {leftText(undone.left_count)}
        </p>
        {canChange && !isRedone && !shown.undoing && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="redo" size={16} />}
            onClick={() => start({ id: undone.import_id, of: shown, isRedo: true })}
          >
            Redo
          </Button>
        )}
      </div>
      <p className={classes.past}>Result before that: {headline(shown)}</p>
    </>
  )
}

function leftText(count: number) {
  return count > 0 && `. ${formatCount(count, 'row was', 'rows were')} left alone.`
}

function OperationLink({ id, children }: { id: number; children: ReactNode }) {
  return (
    <Link to="/imports/$id" params={{ id: String(id) }} className={classes.link}>
      {children}
    </Link>
  )
}

function Links({ shown }: ShownProps) {
  const { id, kind, state, undone, sheet_url, created_sheet_url } = shown
  const { what, entity } = OPERATION_KINDS[shown.origin_kind]
  return (
    <ul className={classes.links} aria-label="Links">
      {created_sheet_url && (
        <li>
          <SheetLink sheet={created_sheet_url}>Open the created sheet</SheetLink>
        </li>
      )}
      {sheet_url && (
        <li>
          <SheetLink sheet={sheet_url}>
            {OPERATION_KINDS[kind].what === 'replacement' ? 'Open the sheet' : 'Open the sheet that was read'}
          </SheetLink>
        </li>
      )}
      {state === 'done' && (!undone || undone.left_count > 0) && KINDS[kind].addsSources && (
        <li>
          <Link {...linkTo({ to: '/sources', search: { import_id: id } })} className={classes.link}>
            Show its sources
          </Link>
        </li>
      )}
      {/* The events of a sheet are in its own history. */}
      {what !== 'replacement' && (
        <li>
          <Link to="/activity" search={{ entity, entity_id: id }} className={classes.link}>
            Show in Activity
          </Link>
        </li>
      )}
    </ul>
  )
}
