import { afterAll, expect, test } from 'vitest'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { mailSettings, startMails } from '../helpers/smtp.ts'
import { startSmtp } from '../helpers/smtp-server.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

const watchdesk = useWatchdesk(mailSettings())
const MAILS = 20
let killed: Replica | undefined

afterAll(() => killed?.stop('SIGKILL'))

test('of a server that is killed, only the mail that it is sending arrives twice, and another one sends it within 30 seconds', async () => {
  const smtp = await startSmtp()
  await watchdesk.database.pool.query(
    `insert into mails (kind, email, data)
     select 'tokens_ended', 'person' || n || '@example.com', '{"user_id": 1}' from generate_series(1, $1::int) n`,
    [MAILS],
  )
  smtp.behaviour = 'accept silently'
  const arrived = smtp.next()
  killed = await startReplica(watchdesk, mailSettings(smtp.port))
  await arrived
  const stopped = killed.stop('SIGKILL')
  smtp.behaviour = 'accept'
  const killedAt = performance.now()
  await stopped
  startMails(watchdesk, smtp)
  const isDone = async () => (await watchdesk.database.pool.query('select from mails')).rowCount
  await expect.poll(isDone, { timeout: 60_000 }).toBe(0)
  expect(performance.now() - killedAt).toBeLessThan(30_000)
  const twice = smtp.received.filter(({ to }, index) => smtp.received.findIndex((one) => one.to[0] === to[0]) < index)
  expect([smtp.received.length, twice.length]).toEqual([MAILS + 1, 1])
  const ids = smtp.received.map(({ raw }) => /^Message-ID: <(.*@example\.com)>/im.exec(raw)?.[1])
  expect([new Set(ids).size, ids.includes(undefined)]).toEqual([MAILS, false])
  await smtp.stop()
})
