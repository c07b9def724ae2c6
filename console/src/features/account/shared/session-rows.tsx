import type { SessionInfo } from '@watchdesk/contract/account'
import { formatAgo, formatMoment } from '../../../ui/display/format.ts'
import { Tag } from '../../../ui/display/tag.tsx'
import { METHODS } from '../../auth/shared/methods.ts'
import { ActionButton } from './action-button.tsx'
import { Row, Rows } from './card.tsx'

type SessionRowsProps = { sessions: SessionInfo[]; onEnd: (session: SessionInfo) => Promise<unknown> }

export function SessionRows({ sessions, onEnd }: SessionRowsProps) {
  return (
    <Rows label="Sessions">
      {sessions.map((session) => (
        <Row
          key={session.id}
          title={session.device}
          tags={session.is_current && <Tag tone="teal">This session</Tag>}
          facts={factsOf(session)}
          actions={
            !session.is_current && (
              <ActionButton aria-label={`End the session of ${session.device}`} onClick={() => onEnd(session)}>
                End
              </ActionButton>
            )
          }
        />
      ))}
    </Rows>
  )
}

function factsOf({ ip, method, created_at, last_seen_at, ends_at }: SessionInfo) {
  return [
    ip ?? 'Unknown address',
    `Signed in with ${METHODS[method]} ${formatAgo(created_at)}`,
    `Last used ${formatAgo(last_seen_at)}`,
    `Ends ${formatMoment(ends_at)}`,
  ]
}
