import { useQueryClient } from '@tanstack/react-query'
import type { Notice } from '@watchdesk/contract/session'
import { formatMoment } from '../../ui/display/format.ts'
import { toastError } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { currentUserQuery } from '../session/queries.ts'
import classes from './notices-banner.module.css'
import { dismissNotices } from './queries.ts'
import { ActionButton } from './shared/action-button.tsx'

const CHANGES: Record<Notice['kind'], string> = {
  second_factor_reset: 'reset your second factor',
  password_changed: 'changed your password',
  password_link_used: 'created the link with which your password was changed',
  email_changed: 'changed your email',
  sessions_ended: 'ended your sessions',
  tokens_ended: 'deleted your tokens',
  replaced_by_sso: 'replaced your password, second factors, sessions and tokens',
}

export function NoticesBanner({ notices }: { notices: Notice[] }) {
  const client = useQueryClient()
  return (
    <section className={classes.banner} aria-label="Notices">
      <div className={classes.texts} role="status">
        {notices.map(({ id, kind, by, at }) => (
          <p key={id}>
            {by ?? 'The operator'} {CHANGES[kind]} on {formatMoment(at)}. {ADVICE[kind] ?? OTHER_ADVICE}
          </p>
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

/** Another password would not help against someone who can change these. */
const ADVICE: Partial<Record<Notice['kind'], string>> = {
  password_changed: 'If you did not expect this, ask them why.',
  email_changed: 'If you did not expect this, ask them why.',
  replaced_by_sso: 'From now on, sign in with single sign-on.',
}
const OTHER_ADVICE = 'If you did not expect this, change your password.'
