import { expect, test } from 'vitest'
import { authorsIn } from './authors.ts'

const quota = (limit: number) => ({ balance: 1, limit, renewal_date: '2027-01-01T00:00:00' })
const change = (before: unknown, after: unknown) => ({ before, after })
/** A minute after the version before. */
const by = (id: number, name: string, version: number, changes: Record<string, ReturnType<typeof change>>) => ({
  actor: { id, name },
  at: `2026-11-16T09:0${version - 1}:00.000Z`,
  ...{ version, changes },
})
const EVENTS: Parameters<typeof authorsIn>[0] = [
  { ...by(1, '', 4, { ai_quota: change({ ...quota(5), balance: 0 }, quota(5)) }), actor: null },
  by(2, 'Vera Moroz', 3, { status: change(1, 2) }),
  by(3, 'Ivan Petrenko', 2, { status: change(0, 1), ai_quota: change(quota(4), quota(5)) }),
  by(4, 'Olena Koval', 1, { name: change('a', 'b') }),
]

test('the last author of a field is found, also of one field of a quota', () => {
  const authorOf = authorsIn(EVENTS, 1)
  expect(authorOf(['status'])).toEqual({ name: 'Vera Moroz', at: '2026-11-16T09:02:00.000Z' })
  expect(authorOf(['ai_quota', 'limit'])?.name).toBe('Ivan Petrenko')
  expect(authorOf(['ai_quota', 'balance'])?.name).toBe('the system')
})

test('changes that my version already has are nobody’s', () => {
  expect(authorsIn(EVENTS, 1)(['name'])).toBeUndefined()
  expect(authorsIn(EVENTS, 2)(['ai_quota', 'limit'])).toBeUndefined()
  expect(authorsIn(EVENTS, 2)(['status'])?.name).toBe('Vera Moroz')
})
