import { NOTICES } from '@watchdesk/contract/auth/session'

/** Mails with a link that lets the user choose a password, in the order in which they are sent. */
export const LINK_MAILS = ['forgotten_password', 'new_password', 'invitation'] as const
/** Mails about what users changed themselves, which tell them if it was somebody else with their session or password. */
const OWN_CHANGES = [
  'own_password',
  'own_email',
  'own_authenticator',
  'own_authenticator_removed',
  'own_passkey',
  'own_passkey_removed',
  'own_recovery_codes',
  'own_token',
] as const
const MAIL_KINDS = [...LINK_MAILS, ...NOTICES, ...OWN_CHANGES] as const
export type MailKind = (typeof MAIL_KINDS)[number]
export type OwnChange = (typeof OWN_CHANGES)[number]
