import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'

type SmtpServer = { listen: (port: number, host: string) => Server; close: (done: () => void) => void }
type Options = {
  authOptional: boolean
  disabledCommands: string[]
  onData: (stream: NodeJS.ReadableStream, session: object, done: () => void) => void
}

const { SMTPServer }: { SMTPServer: new (options: Options) => SmtpServer } = createRequire(
  new URL('../server/package.json', import.meta.url),
)('smtp-server')

/** A real mail server on loopback, and the mails that it has received. */
export async function startSmtp() {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => {
      void text(stream).then((raw) => {
        // Undoes the line breaks and the equals signs of quoted-printable.
        mails.push(raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return { port, mails, stop: () => new Promise<void>((resolve) => server.close(resolve)) }
}

/** For a server whose links need its address before it starts. */
export async function freePort() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
