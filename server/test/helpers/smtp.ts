import { onTestFinished } from 'vitest'
import { createMails } from '../../src/modules/auth/links/send-mails.ts'
import type { Watchdesk } from './watchdesk.ts'

/** Settings of a server that sends mails. A port that nobody listens on, unless it is given. */
export function mailSettings(port = 9) {
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Watchdesk <desk@example.com>',
    PUBLIC_URL: 'https://desk.example.com',
  }
}

/** Milliseconds. */
const TIMES = { poll: 200, renew: 100, stop: 300 }

type LogLine = { details: object; message?: string }

/** Sends the mails of a test's database, like a server that runs. */
export function startMails({ database, deps }: Watchdesk, smtp: { port: number }) {
  const log: LogLine[] = []
  const logger = {
    warn: (details: object, message: string) => void log.push({ details, message }),
    error: (details: object) => void log.push({ details }),
  }
  const mails = createMails(database.db, { ...deps.env, ...mailSettings(smtp.port) }, logger, TIMES)
  mails.start()
  onTestFinished(() => mails.stop())
  return { ...mails, log }
}

/** The token of the link in a mail. */
export function tokenIn(mail: { text: string } | undefined) {
  return /#([\w-]+)$/m.exec(mail?.text ?? '')?.[1] ?? ''
}
