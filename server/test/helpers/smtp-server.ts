import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = { from: string; to: string[]; subject: string; raw: string; text: string; html: string }

/**
 * What happens to the next mails: accepted, accepted although the sender gets no answer, never answered, or refused with
 * this status, at once for the sender or recipient.
 */
type Behaviour = 'accept' | 'accept silently' | 'hang' | number | { sender: number } | { recipient: number }

/** A real mail server on loopback. */
export async function startSmtp(port = 0) {
  const received: ReceivedMail[] = []
  const waiting: (() => void)[] = []
  const smtp = { port: 0, received, behaviour: 'accept' as Behaviour, attempts: 0, stop, next }
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username = '' }, _session, done) {
      if (smtp.behaviour === 'accept') return done(null, { user: username })
      smtp.attempts += 1
      done(new Error('Invalid password'))
      for (const resolve of waiting.splice(0)) resolve()
    },
    closeTimeout: 100,
    onMailFrom: (_, __, done) => done(refusal('sender')),
    onRcptTo: (_, __, done) => done(refusal('recipient')),
    onData(stream, { envelope }, done) {
      smtp.attempts += 1
      const { behaviour } = smtp
      void text(stream).then((raw) => {
        if (behaviour === 'accept' || behaviour === 'accept silently') {
          const { mailFrom, rcptTo } = envelope
          received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            ...parsed(raw),
          })
          if (behaviour === 'accept') done()
        } else if (behaviour !== 'hang') {
          done(answerOf(Number(behaviour)))
        }
        for (const resolve of waiting.splice(0)) resolve()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  smtp.port = (listening.address() as AddressInfo).port
  return smtp

  function refusal(what: 'sender' | 'recipient') {
    const status = Reflect.get(Object(smtp.behaviour), what)
    return status === undefined ? undefined : answerOf(status)
  }

  /** The next mail that arrives, accepted or not. */
  function next() {
    return new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function stop() {
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

function answerOf(responseCode: number) {
  return Object.assign(new Error('Not now'), { responseCode })
}

export type Smtp = Awaited<ReturnType<typeof startSmtp>>

function parsed(raw: string) {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const subject = /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? ''
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ''
  const parts = raw.split(`--${boundary}`)
  return { subject, raw, text: partOf(parts, 'text/plain'), html: partOf(parts, 'text/html') }
}

function partOf(parts: string[], type: string) {
  const part = parts.find((each) => each.trimStart().startsWith(`Content-Type: ${type}`)) ?? ''
  const at = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, at), part.slice(at + 4).replaceAll('\r\n', '\n')]
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  return /quoted-printable/i.test(head) ? unquoted(body) : body
}

function unquoted(body: string) {
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
