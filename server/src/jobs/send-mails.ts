import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '../adapters/http.ts'
import { createMailer, type Mail, type Mailer, sentMails } from '../adapters/mail/mail.ts'
import { claimMail, finishMail, type MailRow, postponeMail, releaseMail, renewMail } from '../db/mail-queue.ts'
import type { SystemDb } from '../db/open.ts'
import type { Env } from '../env.ts'
import { writeMail } from '../modules/auth/links/write-mail.ts'

/** Milliseconds. A server that stops waits as long as `stop` for mails that are being sent. */
const TIMES = { poll: 3000, renew: 5000, stop: 5000 }
/** Only mails that follow one that takes long are sent at the same time. */
const AT_ONCE = 5

type Settings = Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'PASSWORD_LOGIN'>
type Log = { warn(details: object, message: string): void; error(details: object): void }

export type Mails = ReturnType<typeof createMails>

/**
 * Sends the mails in the queue. Each is held by a lease, so any number of servers may do this on one database. A mail is
 * removed from the queue after the mail server has accepted it: it is sent twice if the process dies in between. So that
 * this concerns as few as possible, the next one waits for it.
 */
export function createMails(db: SystemDb, env: Settings, times = TIMES) {
  const mailer = createMailer(env)
  const stopping = new AbortController()
  let woken = new AbortController()
  let loop = Promise.resolve()
  let hasFailed = false

  return {
    /** Without a mail server, there is nothing to do. */
    start(log: Log) {
      if (mailer) loop = runLoop(mailer, log)
    },
    /** A mail has been queued: no need to wait for the next poll. */
    wake() {
      woken.abort()
    },
    async stop() {
      stopping.abort()
      woken.abort()
      await loop
    },
  }

  /** One after the other. A mail server that hangs holds up the next one for the time of a poll. */
  async function runLoop(mailer: Mailer, log: Log) {
    const sending = new Set<Promise<void>>()
    let nextAt = 0
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const isFree = sending.size === 0 || (sending.size < AT_ONCE && performance.now() >= nextAt)
      const row = isFree ? await claim(log) : undefined
      if (row) {
        nextAt = performance.now() + times.poll
        const sent = send(mailer, row, log)
          .then(() => {
            hasFailed = false
          })
          .catch((error) => report(error, log))
          .finally(() => {
            sending.delete(sent)
            nextAt = 0
            woken.abort()
          })
        sending.add(sent)
      }
      if (!stopping.signal.aborted) await wait(times.poll, undefined, { signal: woken.signal }).catch(() => {})
    }
    await Promise.all(sending)
  }

  async function claim(log: Log) {
    try {
      return await claimMail(db)
    } catch (error) {
      report(error, log)
      return undefined
    }
  }

  /** An outage of the database is reported once. */
  function report(error: unknown, log: Log) {
    if (!stopping.signal.aborted && !hasFailed) log.error({ err: error })
    hasFailed = true
  }

  async function send(mailer: Mailer, row: MailRow, log: Log) {
    const mail = await writeMail(db, env, row)
    const outcome = mail ? await attempt(mailer, mail, row) : 'unwanted'
    if (outcome === 'stopped') return releaseMail(db, row)
    if (outcome === 'sent' || outcome === 'unwanted') {
      if (outcome === 'sent') sentMails.inc({ kind: row.kind, outcome })
      return finishMail(db, row)
    }
    const isFinal = isRefused(outcome.error)
    sentMails.inc({ kind: row.kind, outcome: isFinal ? 'refused' : 'failed' })
    const isTriedAgain = isFinal ? await finishMail(db, row) : await postponeMail(db, row)
    const about = { mail: row.id, kind: row.kind, tries: row.tries, ...detailsOf(outcome.error) }
    log.warn(about, isTriedAgain ? 'A mail could not be sent. It is tried again' : 'A mail could not be sent')
  }

  async function attempt(mailer: Mailer, mail: Mail, row: MailRow): Promise<'sent' | 'stopped' | { error: unknown }> {
    const settled = new AbortController()
    // Without the database, the lease ends, and the mail may be sent twice.
    const renewing = setInterval(() => renewMail(db, row).catch(() => {}), times.renew)
    const sending = mailer.send(mail).then(
      () => 'sent' as const,
      (error: unknown) => ({ error }),
    )
    try {
      return await Promise.race([sending, stopped(settled.signal)])
    } finally {
      clearInterval(renewing)
      settled.abort()
    }
  }

  /** Some time after the server was asked to stop. */
  function stopped(settled: AbortSignal) {
    return new Promise<'stopped'>((resolve) => {
      const onStop = () => {
        const timer = setTimeout(() => resolve('stopped'), times.stop)
        settled.addEventListener('abort', () => clearTimeout(timer))
      }
      if (stopping.signal.aborted) return onStop()
      stopping.signal.addEventListener('abort', onStop)
      settled.addEventListener('abort', () => stopping.signal.removeEventListener('abort', onStop))
    })
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
