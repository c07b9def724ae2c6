import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { linkTo, type PageAddress } from '../../../ui/navigation/back-link.ts'
import { currentUserQuery, seesEverything } from '../../auth/queries.ts'
import classes from './events.module.css'

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
  if (entity === 'website_config') return { to: '/website_config', search: {} }
  if (entity_id === null) return
  if (action === 'undo') return { to: `/imports/${entity_id}`, search: {} }
  const to = {
    user: `/users/${entity_id}/edit`,
    session: `/users/${entity_id}/edit`,
    token: `/users/${entity_id}/edit`,
    authenticator: `/users/${entity_id}/edit`,
    passkey: `/users/${entity_id}/edit`,
    recovery_codes: `/users/${entity_id}/edit`,
    second_factor: `/users/${entity_id}/edit`,
    sso_account: `/users/${entity_id}/edit`,
    link: `/users/${entity_id}/edit`,
    workspace: `/workspaces/${entity_id}`,
    dashboard: `/dashboards/${entity_id}/edit`,
    sheet: `/sheets/${entity_id}`,
    source: `/sources/${entity_id}`,
    // Their id is that of the import.
    sources: `/imports/${entity_id}`,
    stories: `/imports/${entity_id}`,
    users: `/imports/${entity_id}`,
    workspaces: `/imports/${entity_id}`,
    dashboards: `/imports/${entity_id}`,
  }[entity as string]
  return to === undefined ? undefined : { to, search: {} }
}
