import type { AuditEvent } from '@watchdesk/contract/activity'
import { expect, test } from 'vitest'
import { textOf } from './sentence.ts'

const OLENA = { name: 'Olena Koval', detail: 'olena@example.com', state: 'live', current_name: null } as const
const HERSELF = { id: 5, name: 'Olena Koval' }
const VERA = { id: 1, name: 'Vera Moroz' }
const SERVER = { id: null, name: 'Watchdesk' }

type Given = [
  actor: AuditEvent['actor'],
  action: AuditEvent['action'],
  entity: AuditEvent['entity'],
  changes: Record<string, [before: unknown, after: unknown]>,
  sentence: string,
]

const CASES: Given[] = [
  [HERSELF, 'login', 'session', { method: [null, 'password'] }, 'Olena Koval signed in'],
  [HERSELF, 'login', 'session', { method: [null, 'passkey'] }, 'Olena Koval signed in with a passkey'],
  [HERSELF, 'login', 'session', { method: [null, 'sso'] }, 'Olena Koval signed in with single sign-on'],
  [null, 'login_failed', 'session', {}, 'Somebody failed to sign in as Olena Koval'],
  [null, 'login_failed', 'session', { step: [null, 'code'] }, 'Somebody entered a wrong code as Olena Koval'],
  [null, 'login_failed', 'session', { step: [null, 'passkey'] }, 'Somebody used a wrong passkey as Olena Koval'],
  [HERSELF, 'end_sessions', 'session', { sessions: [2, 1] }, 'Olena Koval ended a session'],
  [VERA, 'end_sessions', 'session', { sessions: [4, 1] }, 'Vera Moroz ended 3 sessions of Olena Koval'],
  [SERVER, 'expire', 'session', {}, 'Watchdesk ended an expired session of Olena Koval'],
  [SERVER, 'expire', 'session', { sessions: [2, 0] }, 'Watchdesk ended 2 expired sessions of Olena Koval'],
  [HERSELF, 'create', 'token', { name: [null, 'Airflow'] }, 'Olena Koval created the token “Airflow”'],
  [VERA, 'delete', 'token', { name: ['Airflow', null] }, 'Vera Moroz deleted the token “Airflow” of Olena Koval'],
  [HERSELF, 'create', 'passkey', { name: [null, 'Laptop'] }, 'Olena Koval added the passkey “Laptop”'],
  [HERSELF, 'update', 'passkey', { name: ['Laptop', 'Mac'] }, 'Olena Koval renamed the passkey “Laptop” to “Mac”'],
  [HERSELF, 'delete', 'passkey', { name: ['Mac', null] }, 'Olena Koval removed the passkey “Mac”'],
  [HERSELF, 'create', 'authenticator', {}, 'Olena Koval set up the authenticator app'],
  [HERSELF, 'update', 'authenticator', {}, 'Olena Koval replaced the authenticator app'],
  [HERSELF, 'use', 'recovery_codes', { left: [8, 7] }, 'Olena Koval used a recovery code'],
  [HERSELF, 'update', 'recovery_codes', {}, 'Olena Koval renewed the recovery codes'],
  [VERA, 'reset', 'second_factor', { passkeys: [2, 0] }, 'Vera Moroz reset the second factor of Olena Koval'],
  [VERA, 'create', 'link', { kind: [null, 'invitation'] }, 'Vera Moroz created an invitation for Olena Koval'],
  [HERSELF, 'use', 'link', { kind: [null, 'password'] }, 'Olena Koval used a link to choose a password'],
  [HERSELF, 'create', 'sso_account', {}, 'Olena Koval connected the single sign-on account'],
]

test.each(CASES)('%o %s %s %o', (actor, action, entity, changes, sentence) => {
  const pairs = Object.entries(changes).map(([name, [before, after]]) => [name, { before, after }])
  const event = { actor, action, entity, entity_id: 5, record: OLENA, changes: Object.fromEntries(pairs), parts: 0 }
  expect(textOf(event)).toBe(sentence)
})
