import type { SignInMethod } from '@watchdesk/contract/auth/session'
import { formatCount } from '../../../ui/display/format.ts'
import { METHODS } from '../../auth/shared/methods.ts'
import { after, type SentenceEvent as Event, numberOf, type Sentence } from './event-values.ts'

/** 'signed in with a passkey', 'ended 3 sessions of Olena Koval'. */
export function session(event: Event): Sentence {
  const { action, record, entity_id } = event
  if (action === 'login') return { start: `signed in${withMethod(event)}`, end: '' }
  if (action === 'logout') return { start: 'signed out', end: '' }
  if (action === 'end_sessions') return of(event, `ended ${ended(event, '')}`)
  if (action === 'expire') return of(event, `ended ${ended(event, 'expired ')}`)
  const failure = FAILURES[after(event, 'step')]
  if (record) return { start: `${failure ?? 'failed to sign in'} as `, record: record.name, end: '' }
  if (entity_id === null) return { start: failure ?? 'failed to sign in with an unknown email', end: '' }
  return { start: `${failure ?? 'failed to sign in'} as user ${entity_id}`, end: '' }
}

/** By the step that failed. A wrong code comes from someone who knows the password. */
const FAILURES: Record<string, string> = { code: 'entered a wrong code', passkey: 'used a wrong passkey' }

/** A password is what everybody expects. */
function withMethod(event: Event) {
  const method = after(event, 'method')
  if (method === '' || method === 'password') return ''
  return ` with ${METHODS[method as SignInMethod] ?? method}`
}

/** '3 sessions', 'an expired session'. */
function ended({ changes }: Event, kind: '' | 'expired ') {
  const { before, after: now } = changes.sessions ?? {}
  const count = numberOf(before) - numberOf(now)
  return count > 1 ? formatCount(count, `${kind}session`) : `${kind ? 'an' : 'a'} ${kind}session`
}

type Verbs = Partial<Record<Event['action'], string>>

/** 'created the token “Airflow”', and of whom if it was somebody else. */
function named(noun: string, verbs: Verbs) {
  return (event: Event): Sentence => {
    const { before, after: now } = event.changes.name ?? {}
    const verb = verbs[event.action] ?? event.action
    if (event.action === 'update' && before && now) {
      return of(event, `renamed the ${noun} “${before}” to “${now}”`)
    }
    const name = now ?? before
    return of(event, name ? `${verb} the ${noun} “${name}”` : `${verb} the ${noun}`)
  }
}

export const token = named('token', { create: 'created', delete: 'deleted' })

export const passkey = named('passkey', { create: 'added', delete: 'removed' })

export const authenticator = named('authenticator app', { create: 'set up', update: 'replaced', delete: 'removed' })

const CODES: Verbs = { create: 'created', update: 'renewed', delete: 'deleted' }

export function recoveryCodes(event: Event): Sentence {
  if (event.action === 'use') return of(event, 'used a recovery code')
  return of(event, `${CODES[event.action] ?? event.action} the recovery codes`)
}

export function secondFactor(event: Event): Sentence {
  return of(event, `${event.action} the second factor`)
}

export const ssoAccount = named('single sign-on account', { create: 'connected', delete: 'disconnected' })

/** A link to choose a password, or to sign in. */
export function link(event: Event): Sentence {
  const kind = LINKS[after(event, 'kind')] ?? 'a link'
  return of(event, `${event.action === 'use' ? 'used' : 'created'} ${kind}`, ' for ')
}

const LINKS: Record<string, string> = {
  invitation: 'an invitation',
  password: 'a link to choose a password',
  sign_in: 'a sign-in link',
}

/** The user is only mentioned if somebody else did it. */
function of({ actor, entity_id, record }: Event, start: string, preposition = ' of '): Sentence {
  const isOwn = actor !== undefined && actor !== null && actor.id === entity_id
  if (isOwn || !record) return { start, end: '' }
  return { start: `${start}${preposition}`, record: record.name, end: '' }
}
