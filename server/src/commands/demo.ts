import { LANGUAGES, USER_TYPES } from '@watchdesk/contract/enums'
import { USER_DEFAULTS } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import { bootstrap, generatePassword } from '../db/bootstrap.ts'
import { migrate } from '../db/migrate.ts'
import type { SystemDb } from '../db/open.ts'
import { WORKSPACE_CONFIG } from '../db/settings.ts'
import { StartError } from '../env.ts'
import { createPasswords, type Passwords } from '../modules/auth/session/passwords.ts'
import { type Catalog, readCatalog } from '../modules/catalog/catalog.ts'
import { createSemaphores } from '../semaphore.ts'
import { command } from './command.ts'
import * as data from './demo-data.ts'
import { importSources, makeSources } from './demo-imports.ts'
import { insertStories, makeStories, NARRATIVES } from './demo-stories.ts'

const USERS = 2_000
const SOURCES = 5_000
const IMPORTING_PEOPLE = 4
/** The last ones. */
const WORKSPACES_WITHOUT_ADMIN = 2
const OLDEST_USER_DAYS = 180
const TRIALS_END_IN = [-12, -3, 2, 5, 13, 24, 45, 80]
const PAYING = ['PAID_CLIENT', 'PAID_CLIENT_UCBI', 'PAID_CLIENT_I3'] as const
const NOT_PAYING = ['TRIAL', 'TRIAL', 'FREE_ACCESS', 'DEACTIVATED', null] as const
const SAMPLE_DATA_LOCK = 7_238_005

/** npm run demo: adds sample data to an empty database; works while the server is running. */
export const run = () =>
  command(
    async ({ db, pool }, env) => {
      await migrate(pool)
      const catalog = await readCatalog(env.CATALOG_FILE)
      const passwords = createPasswords(env, createSemaphores(env))
      const first = await bootstrap({ db, env, hash: passwords.hash, websiteConfig: catalog })
      const isAdded = await addSampleData(db, catalog, passwords)
      if (!isAdded)
        throw new StartError('The database already has data: sample data can only be added to an empty database')
      if (first?.password)
        console.log(`Super admin: ${first.email} with the password ${first.password} (shown only this once)`)
    },
    { share: true },
  )

export async function addSampleData(db: SystemDb, catalog: Catalog, passwords: Passwords) {
  const password = generatePassword()
  const password_hash = await passwords.hash(password)
  const dice = data.createDice(20_261_115)
  const stories = makeStories(data.createDice(5))
  const isAdded = await db.transaction().execute(async (trx) => {
    // A concurrent demo command waits here and then finds the data of the first.
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${SAMPLE_DATA_LOCK}::bigint)`.execute(trx)
    if (await isInUse(trx)) return false
    const dashboards = await createDashboards(trx)
    const workspaces = await createWorkspaces(trx, dice, catalog, dashboards)
    await createUsers(trx, dice, workspaces, password_hash)
    await createSignIns(trx)
    const admins = trx.selectFrom('users').select(['id', 'full_name']).where('is_admin', '=', true)
    const people = await admins.orderBy('id').limit(IMPORTING_PEOPLE).execute()
    await importSources(trx, dice, makeSources(dice, SOURCES), people)
    await insertStories(trx, stories)
    return true
  })
  if (!isAdded) return false
  const workspaces = data.WORKSPACE_NAMES.length
  console.log(`Filled the database: ${workspaces} workspaces, ${USERS} users, ${data.DASHBOARDS.length} dashboards,`)
  console.log(`${SOURCES} sources, ${stories.length} stories in the narratives 1 to ${NARRATIVES.length}.`)
  console.log(`Every user of these workspaces has the password ${password} (shown only this once)`)
  return true
}

/** Whether the database has anything that the first start did not create. */
async function isInUse(trx: SystemDb) {
  const { rows } = await sql<{ in_use: boolean }>`
    select (select count(*) from users) > 1 or (select count(*) from workspaces) > 1
      or exists (select from powerbi_dashboards) or exists (select from sources) or exists (select from narratives)
      as in_use`.execute(trx)
  return rows[0]?.in_use ?? true
}

async function createDashboards(trx: SystemDb) {
  const rows = data.DASHBOARDS.map(([name, description], index) => ({
    name,
    description,
    embed_link: `https://app.powerbi.example/view?report=${index + 1}`,
    updated_by: null,
  }))
  return trx.insertInto('powerbi_dashboards').values(rows).returning('id').execute()
}

async function createWorkspaces(trx: SystemDb, dice: data.Dice, catalog: Catalog, dashboards: { id: number }[]) {
  const rows = data.WORKSPACE_NAMES.map((name) => {
    const status = dice.chance(0.5) ? dice.pick(PAYING) : dice.pick(NOT_PAYING)
    return {
      name,
      description: dice.pick(data.DESCRIPTIONS),
      status,
      trial_end_date: status === 'TRIAL' ? dayFromToday(dice.pick(TRIALS_END_IN)) : null,
      analytical_quota: quota(dice, 1000 * (5 + dice.below(46))),
      ai_quota: quota(dice, 100 * (1 + dice.below(20))),
      config: JSON.stringify({
        ...WORKSPACE_CONFIG,
        roles: [...new Set([...catalog.available_roles, ...dice.some(catalog.all_roles, 0.3)])],
        featureflags: dice.some(catalog.all_featureflags, 0.35),
        available_case_types: dice.some(catalog.case_types, 0.6),
        stories_vectors_model: catalog.default_stories_vectors_model,
        search_similarity_threshold: dice.chance(0.6) ? 0.4 + dice.below(9) / 20 : null,
        narratives_similarity_threshold: dice.chance(0.6) ? 0.5 + dice.below(8) / 20 : null,
        is_ucbi_admin: status === 'PAID_CLIENT_UCBI',
      }),
      updated_by: null,
    }
  })
  const created = await trx.insertInto('workspaces').values(rows).returning(['id', 'name']).execute()
  const places = created.flatMap(({ id }) =>
    dice
      .some(dashboards, 0.2)
      .map((dashboard, position) => ({ workspace_id: id, dashboard_id: dashboard.id, position })),
  )
  await trx.insertInto('workspace_dashboards').values(places).execute()
  return created
}

function quota(dice: data.Dice, limit: number) {
  const balance = dice.chance(0.05) ? 0 : dice.below(limit + 1)
  return JSON.stringify({ limit, balance, renewal_date: `${dayFromToday(1 + dice.below(28))}T00:00:00` })
}

function dayFromToday(days: number) {
  return data.daysAgo(-days).toISOString().slice(0, 10)
}

type NewWorkspace = { id: number; name: string }

async function createUsers(trx: SystemDb, dice: data.Dice, workspaces: NewWorkspace[], password_hash: string) {
  const admins = workspaces.length - WORKSPACES_WITHOUT_ADMIN
  const rows = Array.from({ length: USERS }, (_, index) => {
    const first_name = dice.pick(data.FIRST_NAMES)
    const last_name = dice.pick(data.LAST_NAMES)
    // The first users are the admins, one for each workspace that has any; the rest are assigned at random.
    const place = index < workspaces.length ? index : dice.below(workspaces.length)
    const { id = 1, name = '' } = workspaces[place] ?? {}
    const time = data.daysAgo(OLDEST_USER_DAYS * (1 - (index + 1) / USERS) ** 1.5)
    const is_auditor = index === workspaces.length
    return {
      ...USER_DEFAULTS,
      workspace_id: id,
      first_name,
      last_name,
      email: `${first_name}.${last_name}.${index + 1}@${name.replace(' ', '-')}.example`.toLowerCase(),
      password_hash,
      is_admin: (index < admins || (dice.chance(0.04) && place < admins)) && !is_auditor,
      is_auditor,
      type: dice.chance(0.6) ? 'STANDARD' : dice.pick(USER_TYPES),
      language: dice.pick(LANGUAGES),
      updated_by: null,
      created_at: time,
      updated_at: time,
    }
  })
  await trx.insertInto('users').values(rows).execute()
}

/** Three of four who may use the console have signed in, most of them lately, and nobody before they were added. */
async function createSignIns(trx: SystemDb) {
  await sql`insert into sign_ins (user_id, at)
    select id, now() - (now() - created_at) * (id * 7919 % 1000 / 1000.0) ^ 3 from users
    where id % 4 > 0 and (is_admin or is_auditor)`.execute(trx)
}
