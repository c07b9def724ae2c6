import { expect, test } from 'vitest'
import { authorsIn } from './authors.ts'

const quota = (limit: number) => ({ balance: 1, limit, renewal_date: '2027-01-01T00:00:00' })
const change = (before: unknown, after: unknown) => ({ before, after })
const EVENTS: Parameters<typeof authorsIn>[0] = [
  {
    actor: null,
    at: '2026-11-16T09:03:00.000Z',
    version: 4,
    changes: { ai_quota: change({ ...quota(5), balance: 0 }, quota(5)) },
  },
  {
    actor: { id: 2, name: 'Vera Moroz' },
    at: '2026-11-16T09:02:00.000Z',
    version: 3,
    changes: { status: change(1, 2) },
  },
  {
    actor: { id: 3, name: 'Ivan Petrenko' },
    at: '2026-11-16T09:01:00.000Z',
    version: 2,
    changes: { status: change(0, 1), ai_quota: change(quota(4), quota(5)) },
  },
  {
    actor: { id: 4, name: 'Olena Koval' },
    at: '2026-11-16T09:00:00.000Z',
    version: 1,
    changes: { name: change('a', 'b') },
  },
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
