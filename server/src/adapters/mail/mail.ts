import { createTransport } from 'nodemailer'
import { Counter } from 'prom-client'
import type { Env } from '../../env.ts'
import { isThisMachine, withDeadline } from '../http.ts'

export type Mail = {
  /** The same for each attempt to send it, by which mail programs recognize one that arrives twice. */
  id?: string | undefined
  to: string
  subject: string
  text: string
  html: string
}

/** Sends mails, one attempt each. Throws if the mail server has not accepted the mail, or the reason of the signal. */
export type Mailer = { send(mail: Mail, signal: AbortSignal): Promise<void> }

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** For a whole mail, also if the server answers very slowly. */
const SEND_MS = 45_000

export const sentMails = new Counter({
  name: 'mails_total',
  help: 'Attempts to send a mail, by kind and outcome',
  labelNames: ['kind', 'outcome'],
  registers: [],
})

export function createMailer({ SMTP_URL, MAIL_FROM }: Pick<Env, 'SMTP_URL' | 'MAIL_FROM'>): Mailer | undefined {
  if (SMTP_URL === undefined) return undefined
  const transport = createTransport({
    // Before the address, whose parameters override it: `?requireTLS=false` is for a relay without encryption.
    requireTLS: !isThisMachine(new URL(SMTP_URL).hostname),
    url: SMTP_URL,
    dnsTimeout: CONNECT_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    async send({ id, to, ...mail }, given) {
      const messageId = id && `<${id}@${/@([\w.-]+)/.exec(MAIL_FROM ?? '')?.[1] ?? 'watchdesk'}>`
      // An object, because a text could be read as a list of addresses.
      const message = { ...mail, messageId, from: MAIL_FROM, to: { name: '', address: to }, headers: HEADERS }
      await withDeadline({ ms: SEND_MS, signal: given }, ({ signal }) =>
        Promise.race([transport.sendMail(message), rejectedBy(signal)]),
      )
    },
  }
}

/** Nobody's absence notice should answer. */
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

function rejectedBy(signal: AbortSignal) {
  return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}
