import { codeOf } from '../../../adapters/http.ts'
import { createMailer, type Mail, type Mailer, sentMails } from '../../../adapters/mail/mail.ts'
import { finishMail, MAILS, type MailRow, postponeMail } from '../../../db/mail-queue.ts'
import type { SystemDb } from '../../../db/open.ts'
import type { Env } from '../../../env.ts'
import { createRunner } from '../../../jobs/runner.ts'
import { writeMail } from './write-mail.ts'

/** Milliseconds. A server that stops waits as long as `stop` for mails that are being sent. */
const TIMES = { poll: 3000, renew: 5000, stop: 5000 }
/** Only mails that follow one that takes long are sent at the same time, so that a crash repeats few. */
const AT_ONCE = 5

type Settings = Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'PASSWORD_LOGIN'>
type Log = { warn(details: object, message: string): void; error(details: object): void }

export type Mails = ReturnType<typeof createMails>

/** A mail leaves the queue after the mail server has accepted it, so it is sent twice if the process dies in between. */
export function createMails(db: SystemDb, env: Settings, log: Log, times = TIMES) {
  const mailer = createMailer(env)
  const runner = createRunner<MailRow>(db, {
    queue: MAILS,
    run: async (row, { signal }) => {
      const mail = await writeMail(db, env, row)
      if (mailer && mail) await send(mailer, mail, row, signal)
      else await finishMail(db, row)
    },
    atOnce: AT_ONCE,
    times,
  })
  return {
    ...runner,
    start() {
      if (mailer) runner.start((err) => log.error({ err }))
    },
    wake() {
      if (mailer) runner.wake()
    },
  }

  async function send(mailer: Mailer, mail: Mail, row: MailRow, signal: AbortSignal) {
    const { id, kind, tries } = row
    try {
      await mailer.send(mail, signal)
    } catch (error) {
      signal.throwIfAborted()
      const isFinal = isRefused(error)
      sentMails.inc({ kind, outcome: isFinal ? 'refused' : 'failed' })
      const isTriedAgain = isFinal ? await finishMail(db, row) : await postponeMail(db, row)
      const about = { mail: id, kind, tries, ...detailsOf(error) }
      return log.warn(about, isTriedAgain ? 'A mail could not be sent. It is tried again' : 'A mail could not be sent')
    }
    sentMails.inc({ kind, outcome: 'sent' })
    await finishMail(db, row)
  }
}

/** The mail server will never accept this recipient. Other errors may be those of its settings, or of ours, such as the sender. */
function isRefused(error: unknown) {
  const { command, responseCode } = Object(error)
  return command === 'RCPT TO' && responseCode >= 500
}

/** Not the answer of the mail server, which may quote the mail with its link. */
function detailsOf(error: unknown) {
  const { responseCode, command, message } = Object(error)
  const code = codeOf(error)
  return responseCode === undefined ? { code, reason: String(message) } : { code, answer: responseCode, command }
}
