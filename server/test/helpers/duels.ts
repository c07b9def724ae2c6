import type { User } from '@watchdesk/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller, Watchdesk } from './watchdesk.ts'

/** Super admins who take each other's rights at the same time, so often. */
export function sweepDuels(watchdesk: Watchdesk, rounds: number) {
  describe('a super admin always remains', () => {
    /** Two super admins whose rights are restored in SQL before each round, which needs no password hash. */
    let pair: { user: User; call: Caller }[]
    beforeAll(async () => {
      pair = await Promise.all(
        [1, 2].map(async () => {
          const user = await watchdesk.createUser({ is_super_admin: true, is_admin: true })
          return { user, call: await watchdesk.signIn(user.email) }
        }),
      )
    })

    async function remaining() {
      const { rows } = await watchdesk.database.pool.query<{ id: number }>(
        'select id from users where is_super_admin and deleted_at is null',
      )
      return rows.map(({ id }) => id)
    }

    async function duel(method: 'PATCH' | 'DELETE', body?: object) {
      await watchdesk.database.pool.query(
        'update users set is_super_admin = (id = any($1)), deleted_at = null where is_super_admin or id = any($1)',
        [pair.map(({ user }) => user.id)],
      )
      const [a, b] = pair
      const responses = await Promise.all([
        a?.call(method, `/api/v1/users/${b?.user.id}`, body),
        b?.call(method, `/api/v1/users/${a?.user.id}`, body),
      ])
      return responses.map((response) => response?.status ?? 0)
    }

    test(`when two demote each other concurrently, ${rounds} times`, { timeout: 60_000 }, async () => {
      const outcomes: number[][] = []
      for (let round = 0; round < rounds; round++) {
        outcomes.push(await duel('PATCH', { is_super_admin: false }))
        expect(await remaining()).toHaveLength(1)
      }
      // One is demoted; the other request fails because of the rule, or because its caller has lost the right.
      expect(outcomes.filter((statuses) => statuses.filter((status) => status === 200).length !== 1)).toEqual([])
      expect(outcomes.flat().filter((status) => ![200, 403, 404, 409].includes(status))).toEqual([])
    })

    test('when two delete each other concurrently', async () => {
      for (let round = 0; round < 10; round++) {
        await Promise.all(pair.map(async (one) => Object.assign(one, { call: await resignIn(one.user) })))
        await duel('DELETE')
        expect(await remaining()).toHaveLength(1)
      }
    })

    async function resignIn(user: User) {
      await watchdesk.database.pool.query('update users set is_super_admin = true, deleted_at = null where id = $1', [
        user.id,
      ])
      return watchdesk.signIn(user.email)
    }
  })
}
