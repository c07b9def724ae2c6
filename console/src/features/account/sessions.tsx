import { useQuery } from '@tanstack/react-query'
import type { Account, SessionInfo } from '@watchdesk/contract/account'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatCount } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { ACCOUNT_KEY, endOtherSessions, endSession, sessionsQuery } from './queries.ts'
import { ActionButton } from './shared/action-button.tsx'
import { Card } from './shared/card.tsx'
import { SessionRows } from './shared/session-rows.tsx'
import { useChange } from './shared/use-change.ts'

const ID = 'sessions'

export function Sessions({ account }: { account: Account }) {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const change = useChange(ACCOUNT_KEY)
  const others = data?.objects.filter(({ is_current }) => !is_current) ?? []
  return (
    <Card
      id={ID}
      title="Sessions"
      about={limitsOf(account)}
      actions={
        others.length > 0 && <ActionButton onClick={() => endOthers(others.length)}>End all others</ActionButton>
      }
    >
      {data ? (
        <SessionRows sessions={data.objects} onEnd={end} />
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading label="Loading the sessions" />
      )}
    </Card>
  )

  async function end(session: SessionInfo) {
    const isSure = await confirm({
      title: `End the session of ${session.device}?`,
      text: 'You have to sign in again there. Nothing you entered is lost.',
      action: 'End session',
    })
    if (isSure) await change(() => endSession(session), 'Session ended.', `${ID}-title`)
  }

  async function endOthers(count: number) {
    const isSure = await confirm({
      title: count === 1 ? 'End the other session?' : `End the ${count} other sessions?`,
      text: 'You stay signed in here, and have to sign in again everywhere else. Nothing you entered is lost.',
      action: 'End all others',
    })
    if (isSure) await change(endOtherSessions, 'All other sessions ended.', `${ID}-title`)
  }
}

function limitsOf({ session_idle_minutes, session_max_minutes, sessions_max }: Account) {
  const idle = `A session ends after ${inWords(session_idle_minutes)} without use`
  const most = `at the latest ${inWords(session_max_minutes)} after you signed in`
  const count = `You can have ${formatCount(sessions_max, 'session')}`
  return `${idle}, and ${most}. ${count}; if you sign in once more, the one you used least recently ends.`
}

/** '8 hours', '90 minutes', '7 days'. */
function inWords(minutes: number) {
  if (minutes % 1440 === 0 && minutes > 1440) return formatCount(minutes / 1440, 'day')
  return minutes % 60 === 0 ? formatCount(minutes / 60, 'hour') : formatCount(minutes, 'minute')
}
