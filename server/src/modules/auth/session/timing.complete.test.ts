import { expect, test } from 'vitest'
import { auc, boundsOf } from '../../../../test/helpers/timing.ts'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

/** `TIMING_RUNS=300` takes enough measurements for the strict bounds. */
const RUNS = Number(process.env.TIMING_RUNS ?? 60)
const [LEAST, MOST] = boundsOf(RUNS)
const WARM_UP = 10

const watchdesk = useWatchdesk({}, { hasRealHashes: true })

test('the response time does not distinguish an unknown email from a wrong password', {
  timeout: 600_000,
}, async () => {
  await watchdesk.database.pool.query(
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
     select 1, 'Known', 'User', 'known' || number || '@example.com', password_hash, true, false, 'STANDARD', ''
     from users, generate_series(1, $1) number where email = 'admin@watchdesk.local'`,
    [RUNS + WARM_UP],
  )
  const times = { known: [] as number[], unknown: [] as number[] }
  // A new email for each attempt, because ten failures lock an email.
  for (let run = 1; run <= RUNS + WARM_UP; run++) {
    const kinds = run % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of kinds) {
      const ms = await timeLogin(`${kind}${run}@example.com`)
      if (run > WARM_UP) times[kind].push(ms)
    }
  }
  const area = auc(times.known, times.unknown)
  console.log(`AUC of ${RUNS} + ${RUNS} logins: ${area.toFixed(3)}`)
  expect(area).toBeGreaterThan(LEAST)
  expect(area).toBeLessThan(MOST)
})

test('nor an account with a second factor from one without, while the password is wrong', {
  timeout: 600_000,
}, async () => {
  await watchdesk.database.pool.query(
    `with created as (
      insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select 1, 'Known', 'User', kind || number || '@example.com', password_hash, true, false, 'STANDARD', ''
      from users, generate_series(1, $1) number, unnest('{plain,guarded}'::text[]) kind
      where email = 'admin@watchdesk.local' returning id, email
    )
    insert into authenticators (user_id, secret, confirmed_at)
    select id, '', now() from created where email like 'guarded%'`,
    [RUNS],
  )
  const times = { plain: [] as number[], guarded: [] as number[] }
  for (let run = 1; run <= RUNS; run++) {
    const kinds = run % 2 === 0 ? (['plain', 'guarded'] as const) : (['guarded', 'plain'] as const)
    for (const kind of kinds) times[kind].push(await timeLogin(`${kind}${run}@example.com`))
  }
  const area = auc(times.guarded, times.plain)
  console.log(`AUC of ${RUNS} + ${RUNS} logins to accounts with and without a second factor: ${area.toFixed(3)}`)
  expect(area).toBeGreaterThan(LEAST)
  expect(area).toBeLessThan(MOST)
})

test('nor a locked account from a wrong password', { timeout: 600_000 }, async () => {
  const times = { locked: [] as number[], wrong: [] as number[] }
  for (let attempt = 0; attempt < 10; attempt++) await timeLogin('locked@example.com')
  for (let run = 1; run <= RUNS; run++) {
    times.wrong.push(await timeLogin(`wrong${run}@example.com`))
    times.locked.push(await timeLogin('locked@example.com'))
  }
  const area = auc(times.locked, times.wrong)
  console.log(`AUC of ${RUNS} + ${RUNS} logins to a locked account and with a wrong password: ${area.toFixed(3)}`)
  expect(area).toBeGreaterThan(LEAST)
  expect(area).toBeLessThan(MOST)
})

async function timeLogin(email: string) {
  const started = performance.now()
  const { status } = await watchdesk.anonymous('POST', '/api/v1/login', { email, password: 'wrong password' })
  expect(status).toBe(401)
  return performance.now() - started
}
