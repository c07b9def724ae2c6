import type { AuditEntity } from '@watchdesk/contract/activity'
import { RECORD_KINDS, type RecordKind } from '@watchdesk/contract/records'

/** What events are about that is no record. */
export const OTHER_ENTITIES: Record<Exclude<AuditEntity, RecordKind>, string> = {
  session: 'Sign-ins',
  token: 'Tokens',
  authenticator: 'Authenticator apps',
  passkey: 'Passkeys',
  recovery_codes: 'Recovery codes',
  second_factor: 'Resets of second factors',
  sso_account: 'Single sign-on accounts',
  link: 'Invitations and password links',
  sources: 'Imports and exports of sources',
  users: 'Bulk changes of users',
  workspaces: 'Bulk changes of workspaces',
  dashboards: 'Bulk changes of dashboards',
  stories: 'Stories',
  vectorization: 'Vectorization runs',
  bin: 'Bin',
  activity: 'Activity',
  call: 'Rejected calls',
}

export const ENTITY_LABELS: Record<AuditEntity, string> = {
  ...RECORD_KINDS,
  source: 'Single sources',
  ...OTHER_ENTITIES,
}
