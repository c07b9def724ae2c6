import type { Token } from '@watchdesk/contract/auth/tokens'
import { formatAgo, formatLocalDay } from '../../../ui/display/format.ts'
import { Tag, Tags } from '../../../ui/display/tag.tsx'
import { ActionButton } from './action-button.tsx'
import { Row, Rows } from './card.tsx'

type TokenRowsProps = {
  tokens: Token[]
  /** Whether their owner is an auditor, whose tokens can only read. */
  isAuditor?: boolean
  onDelete: (token: Token) => Promise<unknown>
}

export function TokenRows({ tokens, isAuditor = false, onDelete }: TokenRowsProps) {
  return (
    <Rows label="Tokens">
      {tokens.map((token) => (
        <Row
          key={token.id}
          title={token.name}
          tags={
            <Tags>
              {token.is_read_only || isAuditor ? <Tag>Read only</Tag> : <Tag tone="violet">Full access</Tag>}
              {hasExpired(token) && <Tag tone="red">Expired</Tag>}
            </Tags>
          }
          facts={factsOf(token)}
          actions={
            <ActionButton aria-label={`Delete the token ${token.name}`} onClick={() => onDelete(token)}>
              Delete
            </ActionButton>
          }
        />
      ))}
    </Rows>
  )
}

function factsOf(token: Token) {
  const { created_at, expires_at, last_used_at, last_ip } = token
  return [
    `Created ${formatLocalDay(created_at)}`,
    `${hasExpired(token) ? 'Expired' : 'Expires'} ${formatLocalDay(expires_at)}`,
    last_used_at ? `Last used ${formatAgo(last_used_at)}${last_ip ? ` from ${last_ip}` : ''}` : 'Never used',
  ]
}

function hasExpired({ expires_at }: Token) {
  return Date.parse(expires_at) <= Date.now()
}
