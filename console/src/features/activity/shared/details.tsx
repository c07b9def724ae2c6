import { Link } from '@tanstack/react-router'
import type { AuditEvent } from '@watchdesk/contract/activity'
import type { ReactNode } from 'react'
import { formatExactMoment } from '../../../ui/display/format.ts'
import { Changes } from './changes.tsx'
import classes from './details.module.css'
import type { EventActions } from './event.tsx'
import { sentenceOf } from './sentence.ts'

type DetailsProps = EventActions & {
  event: AuditEvent
  /** The parts of the event. */
  children?: ReactNode
}

/** What an event opens to. */
export function Details({ event, renderActions, renderField, children }: DetailsProps) {
  return (
    <>
      <Changes event={event} renderField={renderField && ((row) => renderField(event, row))} />
      {renderActions?.(event)}
      {children}
      <Facts event={event} />
    </>
  )
}

/** When, where and by whom, with links to more events of the same person or record. */
function Facts({ event }: { event: AuditEvent }) {
  const { at, actor, action, entity, entity_id, workspace, ip, id } = event
  const { record } = sentenceOf(event)
  return (
    <dl className={classes.facts}>
      <Fact label="Time">{formatExactMoment(at)}</Fact>
      {ip && <Fact label="From">{ip}</Fact>}
      {workspace && entity !== 'workspace' && (
        <Fact label="Workspace">
          {workspace.name ?? workspace.id}{' '}
          <Link to="/activity" search={{ workspace_id: workspace.id }} className={classes.link}>
            All its activity
          </Link>
        </Fact>
      )}
      {actor?.id && (
        <Fact label="Person">
          {actor.name}{' '}
          <Link to="/activity" search={{ actor_id: actor.id }} className={classes.link}>
            All their activity
          </Link>
        </Fact>
      )}
      {record && entity_id !== null && (
        <Fact label="Record">
          {record}{' '}
          <Link to="/activity" search={{ entity, entity_id }} className={classes.link}>
            All its activity
          </Link>
        </Fact>
      )}
      <Fact label="Event">
        {id}{' '}
        <Link to="/activity" search={{ entity, action }} className={classes.link}>
          Similar events
        </Link>
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
