import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { mailOwner, notify } from '../auth/notices.ts'

type Changed = { password: boolean; email: boolean; tokens: boolean }

/** Tells a user of changes to how they sign in, before the change: a notice if somebody else made it, otherwise a mail. */
export async function tellUser(
  trx: Trx,
  env: Pick<Env, 'SMTP_URL'>,
  actor: Actor,
  { id, email }: { id: number; email: string },
  changed: Changed,
) {
  if (actor.id === id) {
    const owner = { id, email, ip: actor.ip }
    if (changed.password) await mailOwner(trx, env, 'own_password', owner)
    if (changed.email) await mailOwner(trx, env, 'own_email', owner)
    return
  }
  if (changed.password) await notify(trx, env, { user_id: id, kind: 'password_changed', actor })
  if (changed.email) await notify(trx, env, { user_id: id, kind: 'email_changed', actor })
  if (changed.tokens) await notify(trx, env, { user_id: id, kind: 'tokens_ended', actor })
}
