import { expect, test } from 'vitest'
import { mailSettings, startMails } from '../../../../test/helpers/smtp.ts'
import { startSmtp } from '../../../../test/helpers/smtp-server.ts'
import { auc, boundsOf } from '../../../../test/helpers/timing.ts'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

/** `TIMING_RUNS=300` takes enough measurements for the strict bounds. */
const RUNS = Number(process.env.TIMING_RUNS ?? 60)
const WARM_UP = 10
const [LEAST, MOST] = boundsOf(RUNS)

const watchdesk = useWatchdesk(mailSettings())

test('neither the response to a forgotten password nor its time shows whether an account has the email', {
  timeout: 600_000,
}, async () => {
  await watchdesk.database.pool.query(
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
     select 1, 'Known', 'User', 'known' || number || '@example.com', 'none', true, false, 'STANDARD', ''
     from generate_series(1, $1) number`,
    [RUNS + WARM_UP],
  )
  const smtp = await startSmtp()
  startMails(watchdesk, smtp)
  const times = { known: [] as number[], unknown: [] as number[] }
  const shown = { known: new Set<string>(), unknown: new Set<string>() }
  for (let run = 1; run <= RUNS + WARM_UP; run++) {
    const kinds = run % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of kinds) {
      const started = performance.now()
      const email = `${kind}${run}@example.com`
      const { status, body, headers } = await watchdesk.anonymous('POST', '/api/v1/login/forgotten_password', { email })
      if (run > WARM_UP) times[kind].push(performance.now() - started)
      const { date: _, 'x-request-id': __, ...others } = headers
      const isLimit = (name: string) => name.startsWith('x-ratelimit')
      shown[kind].add(JSON.stringify([status, body, Object.entries(others).filter(([name]) => !isLimit(name))]))
    }
  }
  expect([...shown.known]).toEqual([...shown.unknown])
  expect(shown.known.size).toBe(1)
  await expect.poll(() => smtp.received.length).toBeGreaterThan(0)
  await smtp.stop()
  const area = auc(times.known, times.unknown)
  console.log(`AUC of ${RUNS} + ${RUNS} forgotten passwords: ${area.toFixed(3)}`)
  expect(area).toBeGreaterThan(LEAST)
  expect(area).toBeLessThan(MOST)
})
