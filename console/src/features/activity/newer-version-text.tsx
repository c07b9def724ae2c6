import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { formatMomentsIn } from '../../ui/display/format.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { currentUserQuery } from '../auth/queries.ts'
import { HistoryLink } from './shared/history-link.tsx'

export function NewerVersionText({ change: { action, actor, at } }: { change: AuditEvent }) {
  const { data: me } = useQuery(currentUserQuery)
  const isMine = me !== undefined && actor?.id === me.id
  const who = isMine ? 'You' : (actor?.name ?? 'Somebody')
  if (action === 'delete') {
    return (
      <>
        {formatMomentsIn(`${who} deleted this at ${at}.`)} Restore it before you save:{' '}
        <Link {...linkTo({ to: '/bin', search: {} })}>Open the bin</Link>
      </>
    )
  }
  return (
    <>
      {formatMomentsIn(`${who} saved a newer version at ${at}.`)}{' '}
      {isMine
        ? 'When you save, your changes here are combined with it. '
        : 'When you save, your changes and theirs are combined. '}
      <HistoryLink>See what changed</HistoryLink>
    </>
  )
}
