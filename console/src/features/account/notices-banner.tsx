import { useQueryClient } from '@tanstack/react-query'
import type { Notice } from '@watchdesk/contract/auth/session'
import { formatMoment } from '../../ui/display/format.ts'
import { toastError } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { currentUserQuery } from '../auth/queries.ts'
import classes from './notices-banner.module.css'
import { dismissNotices } from './queries.ts'
import { ActionButton } from './shared/action-button.tsx'

const CHANGES: Record<Exclude<Notice['kind'], 'replaced_by_sso'>, string> = {
  second_factor_reset: 'reset your second factor',
  password_changed: 'changed your password',
  password_link_used: 'created the link with which your password was changed',
  email_changed: 'changed your email',
  sessions_ended: 'ended your sessions',
  tokens_ended: 'deleted your tokens',
}

export function NoticesBanner({ notices }: { notices: Notice[] }) {
  const client = useQueryClient()
  return (
    <section className={classes.banner} aria-label="Notices">
      <div className={classes.texts} role="status">
        {notices.map((notice) => (
          <p key={notice.id}>{textOf(notice)}</p>
        ))}
      </div>
      <ActionButton onClick={dismiss}>OK</ActionButton>
    </section>
  )

  async function dismiss() {
    const newest = Math.max(...notices.map(({ id }) => id))
    try {
      await dismissNotices(newest)
    } catch (error) {
      return toastError(error)
    }
    keepFocus()
    client.setQueryData(
      currentUserQuery.queryKey,
      (me) => me && { ...me, notices: me.notices?.filter(({ id }) => id > newest) },
    )
  }
}

function textOf({ kind, by, at }: Notice) {
  const moment = formatMoment(at)
  if (kind === 'replaced_by_sso') {
    return `Single sign-on is now your only way to sign in, since ${moment}. Other ways were removed.`
  }
  return `${by ?? 'The operator'} ${CHANGES[kind]} on ${moment}. ${ADVICE[kind] ?? OTHER_ADVICE}`
}

/** Another password would not help against someone who can change these. */
const ADVICE: Partial<Record<Notice['kind'], string>> = {
  password_changed: 'If you did not expect this, ask them why.',
  email_changed: 'If you did not expect this, ask them why.',
}
const OTHER_ADVICE = 'If you did not expect this, change your password.'
