import { INVITATION_HOURS, PASSWORD_LINK_MINUTES } from '@watchdesk/contract/limits'
import type { MailKind } from '../../db/mail-queue.ts'
import type { Mail } from './mail.ts'

export type MailContent = {
  first_name: string
  email: string
  /** Null if it was the operator of the server. */
  by: string | null
  at: Date
  /** The console. */
  address: string
  /** For changes that users made themselves: the address of the client. */
  ip?: string
  link?: { address: string; kind: 'invitation' | 'password' | 'forgotten' }
}

type Content = MailContent & { by: string }
type Text = { subject: string; before: string[]; label?: string; after: string[] }

const CHOOSE_PASSWORD = 'Choose a new Watchdesk password'
const UNEXPECTED = 'If you did not expect this, contact your administrator.'
const NOT_YOU =
  'If this was not you, somebody else can use your account. Contact your administrator, choose another password, and look at the sessions, tokens and second factors of your account.'

/** Subjects contain nothing that anybody can choose. */
export function textOf(kind: MailKind, content: MailContent): Omit<Mail, 'to'> {
  const {
    subject,
    before,
    label = 'Open Watchdesk',
    after,
  } = TEXTS[kind]({
    ...content,
    by: oneLine(content.by ?? 'The operator of the server'),
  })
  const { address } = content.link ?? content
  const greeting = `Hello ${oneLine(content.first_name)},`
  const plain = [greeting, ...before, `${label}:\n${address}`, ...after]
  const paragraphs = [
    ...[greeting, ...before].map(escaped),
    `<a href="${escaped(address)}">${escaped(label)}</a>`,
    ...after.map(escaped),
  ]
  return { subject, text: `${plain.join('\n\n')}\n`, html: page(subject, paragraphs) }
}

const TEXTS: Record<MailKind, (content: Content) => Text> = {
  invitation: ({ by, email, link }) => ({
    subject: 'Your Watchdesk account',
    before: [`${by} created a Watchdesk account for you. You sign in as ${email}.`],
    label: 'Choose a password',
    after: [lifeOf(link), 'If you did not expect this mail, you can ignore it.'],
  }),
  new_password: ({ by, email, link }) => ({
    subject: CHOOSE_PASSWORD,
    before: [`${by} created a link with which you can choose a new password for ${email}.`],
    label: 'Choose a new password',
    after: [lifeOf(link), UNEXPECTED],
  }),
  forgotten_password: ({ email, link }) => ({
    subject: CHOOSE_PASSWORD,
    before: [`Someone, probably you, asked for a link to choose a new password for ${email}.`],
    label: 'Choose a new password',
    after: [lifeOf(link), 'If it was not you, ignore this mail: nothing has changed.'],
  }),
  password_changed: notice('Your Watchdesk password was changed', 'changed your password', [
    'Your sessions were ended. Ask for the new password, or choose one yourself with "Forgot password?".',
  ]),
  password_link_used: notice(
    'Your Watchdesk password was changed',
    'created the link with which your password was changed',
    ['Your sessions were ended. If it was not you who chose the new password, choose another one.'],
  ),
  email_changed: notice('Your Watchdesk email was changed', 'changed the email of your account', [
    'You cannot sign in with this address any more, and it gets no further mails.',
  ]),
  second_factor_reset: notice('Your second factors were removed', 'removed the second factors of your account', [
    'You were signed out everywhere. Until you set up a new second factor, your account is less protected.',
  ]),
  sessions_ended: notice('Your Watchdesk sessions were ended', 'ended sessions of your account', [
    'Sign in again to continue.',
  ]),
  tokens_ended: notice('Your Watchdesk tokens were deleted', 'deleted API tokens of your account', [
    'Scripts that use them do not work any more.',
  ]),
  replaced_by_sso: notice(
    'Single sign-on is now your way into Watchdesk',
    'became the only way to sign in to your account',
    ['Other ways to sign in were removed, and what they had opened was ended.'],
  ),
  own_password: own('Your Watchdesk password was changed', 'The password of your account was changed', [
    'All other sessions were ended.',
  ]),
  own_email: own('Your Watchdesk email was changed', 'The email of your account was changed', [
    'You cannot sign in with this address any more, and it gets no further mails.',
  ]),
  own_authenticator: own('New authenticator app for Watchdesk', 'An authenticator app was added to your account'),
  own_authenticator_removed: own(
    'Authenticator app removed from Watchdesk',
    'The authenticator app was removed from your account',
  ),
  own_passkey: own('New passkey for Watchdesk', 'A passkey was added to your account'),
  own_passkey_removed: own('Passkey removed from Watchdesk', 'A passkey was removed from your account'),
  own_recovery_codes: own('New recovery codes for Watchdesk', 'New recovery codes were created for your account', [
    'Earlier codes do not work any more.',
  ]),
  own_token: own('New API token for Watchdesk', 'An API token was created for your account', [
    'Scripts that have it can use Watchdesk with your rights.',
  ]),
}

function notice(subject: string, what: string, effect: string[]) {
  return ({ by, at }: Content): Text => ({
    subject,
    before: [`${by} ${what} on ${timeOf(at)}.`, ...effect],
    after: [UNEXPECTED],
  })
}

function own(subject: string, what: string, effect: string[] = []) {
  return ({ at, ip }: Content): Text => ({
    subject,
    before: [`${what} on ${timeOf(at)}, from the address ${ip}.`, ...effect],
    after: [NOT_YOU],
  })
}

function lifeOf(link: MailContent['link']) {
  const life = link?.kind === 'invitation' ? `${INVITATION_HOURS} hours` : `${PASSWORD_LINK_MINUTES} minutes`
  return `The link works once, for ${life}.`
}

function timeOf(at: Date) {
  const day = at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return `${day} at ${at.toISOString().slice(11, 16)} UTC`
}

/** A name with line breaks could look like more of our text. */
function oneLine(text: string) {
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Without images, fonts or anything else that a mail program would have to load. */
function page(title: string, paragraphs: string[]) {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</body>
</html>
`
}
