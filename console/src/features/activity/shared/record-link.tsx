import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type AuditEntity, type AuditEvent, SIGN_IN_ENTITIES } from '@watchdesk/contract/activity'
import { linkTo, type PageAddress } from '../../../ui/navigation/back-link.ts'
import { currentUserQuery, seesEverything } from '../../auth/queries.ts'
import classes from './events.module.css'
import { recordOf } from './records.ts'

type RecordLinkProps = { event: Pick<AuditEvent, 'action' | 'entity' | 'entity_id' | 'record'>; name: string }

/** The record of an event: a link to its page, or to the bin if it was deleted. */
export function RecordLink({ event, name }: RecordLinkProps) {
  const { data: me } = useQuery(currentUserQuery)
  const state = event.record?.state
  const address =
    state === 'deleted'
      ? { to: '/bin', search: { search: event.record?.current_name ?? name } }
      : state !== 'gone' && canOpen(event, seesEverything(me)) && pageOf(event)
  if (!address) {
    return (
      <>
        <strong className={classes.record}>{name}</strong>
        {state === 'gone' && <span className={classes.soft}> (no longer exists)</span>}
      </>
    )
  }
  return (
    <>
      <Link {...linkTo(address)} className={classes.link}>
        {name}
      </Link>
      {state === 'deleted' && <span className={classes.soft}> (in the bin)</span>}
    </>
  )
}

/** Workspace admins see that users were added together, but not the page of the import. */
function canOpen({ entity }: RecordLinkProps['event'], maySeeAll: boolean) {
  return entity !== 'users' || maySeeAll
}

function pageOf({ action, entity, entity_id }: RecordLinkProps['event']): PageAddress | undefined {
  if (entity_id === null && entity !== 'website_config') return
  if (action === 'undo' || OF_IMPORTS.includes(entity)) return { to: `/imports/${entity_id}`, search: {} }
  const isOfUser = SIGN_IN_ENTITIES.some((name) => name === entity)
  const to = recordOf(isOfUser ? 'user' : entity)?.page(entity_id)
  return to === undefined ? undefined : { to, search: {} }
}

/** Their id is that of the import. */
const OF_IMPORTS: AuditEntity[] = ['sources', 'stories', 'users', 'workspaces', 'dashboards']
