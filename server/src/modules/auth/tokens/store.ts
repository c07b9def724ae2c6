import type { NewToken, Token, TokenCreate } from '@watchdesk/contract/auth/tokens'
import { TOKENS_PER_USER } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import { changesBetween } from '../../../db/audit.ts'
import { conflictIfTaken } from '../../../db/entity.ts'
import { isoTime } from '../../../db/iso-time.ts'
import type { Db, Trx } from '../../../db/open.ts'
import { rowsOf } from '../../../db/read.ts'
import type { Deps } from '../../../deps.ts'
import { conflict, found } from '../../../problem.ts'
import { hashToken, makeApiToken } from '../../../token.ts'
import { type Account, auditAccount, auditOwn, ownerOf } from '../audit-account.ts'
import { mailOwner } from '../notices.ts'

export function tokensStore({ db, env, rights }: Deps) {
  return { list, create, remove }

  async function list({ id }: Actor) {
    return { objects: await tokensOf(db, id) }
  }

  /** The row of the user is locked, so that two calls cannot both create the last token that is allowed. */
  async function create(actor: Actor, { name, days, is_read_only }: TokenCreate): Promise<NewToken> {
    const token = makeApiToken()
    const created = rights.writeUser(actor, { id: actor.id }, async (trx) => {
      const { count } = await trx
        .selectFrom('api_tokens')
        .select(sql<number>`count(*)`.as('count'))
        .where('user_id', '=', actor.id)
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirstOrThrow()
      if (count >= TOKENS_PER_USER)
        throw conflict(
          `You have ${TOKENS_PER_USER} tokens, which is the maximum. Delete one that is not used any more.`,
        )
      const expires_at = sql<Date>`now() + make_interval(days => ${days})`
      const { id } = await trx
        .insertInto('api_tokens')
        .values({ token_hash: hashToken(token), user_id: actor.id, name, is_read_only, expires_at })
        .returning('id')
        .executeTakeFirstOrThrow()
      const changes = changesBetween({}, { name, is_read_only, days })
      await auditOwn(trx, ownerOf(actor), { action: 'create', entity: 'token', changes })
      await mailOwner(trx, env, 'own_token', actor)
      return found((await tokensOf(trx, actor.id, id))[0], 'Token')
    })
    return { ...(await created.catch(asConflict)), token }
  }

  async function remove(actor: Actor, id: number) {
    await rights.write(actor, (trx) => endTokens(trx, actor, ownerOf(actor), id))
  }
}

export function tokensOf(db: Db, user_id: number, id?: number): Promise<Token[]> {
  return rowsOf(
    db,
    sql<Token>`select id, name, is_read_only, ${isoTime(sql`created_at`)} as created_at,
      ${isoTime(sql`expires_at`)} as expires_at, ${isoTime(sql`last_seen_at`)} as last_used_at, ip as last_ip
    from api_tokens where user_id = ${user_id} ${id === undefined ? sql`` : sql`and id = ${id}`} order by id desc`,
  )
}

export async function endTokens(trx: Trx, actor: Actor, user: Account, id?: number) {
  const ended = await trx
    .deleteFrom('api_tokens')
    .where('user_id', '=', user.id)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .returning('name')
    .execute()
  if (id !== undefined) found(ended[0], 'Token')
  for (const { name } of ended) {
    const changes = { name: { before: name, after: null } }
    await auditAccount(trx, actor, user, { action: 'delete', entity: 'token', changes })
  }
  return ended.length > 0
}

const asConflict = conflictIfTaken('api_tokens_by_name', 'You have a token with this name already.')
