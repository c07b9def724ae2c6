import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Token } from '@watchdesk/contract/auth/tokens'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { currentUserQuery } from '../auth/queries.ts'
import { ACCOUNT_KEY, deleteToken, tokensQuery } from './queries.ts'
import { ActionButton } from './shared/action-button.tsx'
import { Card } from './shared/card.tsx'
import { TokenRows } from './shared/token-rows.tsx'
import { useChange } from './shared/use-change.ts'

const ID = 'tokens'

export function Tokens() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(tokensQuery)
  const { data: me } = useQuery(currentUserQuery)
  const isAuditor = me?.is_auditor === true
  const change = useChange(ACCOUNT_KEY)
  return (
    <Card
      id={ID}
      title="Tokens"
      about={
        <>
          Scripts and other programs call the <a href="/api/docs">API</a> with a token instead of your password. A token
          can never do more than you can.
        </>
      }
      actions={<ActionButton onClick={create}>Create token</ActionButton>}
    >
      {data ? (
        data.objects.length > 0 ? (
          <TokenRows tokens={data.objects} isAuditor={isAuditor} onDelete={remove} />
        ) : (
          <p>No tokens yet.</p>
        )
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading label="Loading the tokens" />
      )}
    </Card>
  )

  async function create() {
    const { createTokenInDialog } = await import('./new-token.tsx')
    if (await createTokenInDialog(isAuditor)) await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
  }

  async function remove(token: Token) {
    const isSure = await confirm({
      title: `Delete the token “${token.name}”?`,
      text: 'Programs that use it can no longer sign in. This cannot be undone.',
      action: 'Delete',
    })
    if (isSure) await change(() => deleteToken(token), `Token “${token.name}” deleted.`, `${ID}-title`)
  }
}
