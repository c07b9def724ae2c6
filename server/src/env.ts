import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GENERATED_PASSWORD_LENGTH, MAX_ID, PASSWORD_MIN_LENGTH } from '@watchdesk/contract/limits'
import { Password } from '@watchdesk/contract/users.schema'
import { z } from 'zod'
import { likelySetting } from './setting-typos.ts'

const projectDir = fileURLToPath(new URL('../..', import.meta.url))

const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number)

const path = z.string().transform((value) => (isAbsolute(value) ? value : join(projectDir, value)))

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

const postgresUrl = z
  .string()
  .refine(
    (value) => !/^\w+:\/\/([^/?]*@)?[^/?@]*,|[?&]host=[^&]*(,|%2c)/i.test(value),
    'must have one host: the address that always leads to the primary (see docs/operations.md)',
  )
  .pipe(
    z.url({
      protocol: /^postgres(ql)?$/,
      error: 'must look like postgres://user:password@host:5432/database',
    }),
  )

const PROXY_NAMES = z.enum(['loopback', 'linklocal', 'uniquelocal'])
const proxy = z.union([PROXY_NAMES, z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Not a network of all addresses, which would let everybody forge theirs. */
function isProxy(text: string) {
  return proxy.safeParse(text.trim()).success && !text.trim().endsWith('/0')
}

const proxies = z
  .string()
  .refine(
    (value) => value.split(',').every(isProxy),
    'must be addresses or networks such as 10.0.0.1, 10.0.0.0/8 or loopback, comma-separated',
  )

const Role = z.enum(['super_admin', 'auditor', 'admin'])

const roles = z
  .string()
  .transform((value) => value.split(',').map((pair) => pair.split('=').map((part) => part.trim())))
  .refine(
    (pairs) => pairs.every(([value, role, ...rest]) => value && Role.safeParse(role).success && rest.length === 0),
    `must be values and roles such as admins=super_admin,staff=admin, with the roles ${Role.options.join(', ')}`,
  )
  .transform((pairs) => pairs.map(([value = '', role]) => ({ value, role: Role.parse(role) })))

/** Every setting with its default. docs/settings.md explains them; a test compares the two. */
export const Settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: httpUrl.optional(),
  TRUST_PROXY: proxies.optional(),
  DATA_DIR: path.default(join(projectDir, 'data')),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: whole(2, 1000).default(10),
  STATEMENT_TIMEOUT_MS: whole(100, 600_000).default(10_000),
  BOOTSTRAP_ADMIN_EMAIL: z.email('must be an email address').default('admin@watchdesk.local'),
  BOOTSTRAP_ADMIN_PASSWORD: Password.optional(),
  SESSION_IDLE_MINUTES: whole(1, 525_600).default(480),
  SESSION_MAX_MINUTES: whole(1, 525_600).default(1440),
  SESSIONS_PER_USER: whole(1, 1_000_000).default(20),
  REQUIRE_SECOND_FACTOR: z.enum(['none', 'super_admins', 'all']).default('none'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  // Shorter ones are guessed too fast. Not longer than generated passwords, which could not be used otherwise.
  PASSWORD_MIN_LENGTH: whole(PASSWORD_MIN_LENGTH, GENERATED_PASSWORD_LENGTH).default(PASSWORD_MIN_LENGTH),
  LOGIN_RATE_LIMIT: whole(1, 1_000_000).default(60),
  EXPENSIVE_RATE_LIMIT: whole(1, 1_000_000).default(120),
  PASSWORD_LOGIN: z.enum(['on', 'off']).default('on'),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().max(60, 'must have at most 60 characters').default('Single sign-on'),
  OIDC_NEW_USERS_WORKSPACE: whole(1, MAX_ID).optional(),
  OIDC_ROLES_CLAIM: z.string().default('groups'),
  OIDC_ROLES: roles.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
  MAIL_FROM: z.string().regex(/@/, 'must be an email address, or a name and an address').optional(),
  SECURITY_CONTACT: z.url({ protocol: /^(https|mailto)$/, error: 'must be an https or mailto address' }).optional(),
  MAX_EVENT_LOOP_DELAY_MS: whole(0, 60_000).default(1000),
  SHUTDOWN_DELAY_MS: whole(0, 300_000).default(0),
  SLOW_CLIENT_TIMEOUT_MS: whole(1000, 300_000).default(15_000),
  BODY_LIMIT_BYTES: whole(1024, 1_073_741_824).default(1_048_576),
  IMPORT_BODY_LIMIT_BYTES: whole(1024, 1_073_741_824).default(67_108_864),
  UPLOAD_LIMIT_BYTES: whole(1024, 10_737_418_240).default(536_870_912),
  AUDIT_KEEP_DAYS: whole(30, 36_500).optional(),
  // 0: sheets are kept.
  SHEETS_KEEP_DAYS: whole(0, 36_500).default(90),
  TRIAL_END: z.enum(['show', 'deactivate']).default('show'),
  QUOTA_RENEWAL: z.enum(['monthly', 'off']).default('monthly'),
  CATALOG_FILE: path.optional(),
  GOOGLE_APPLICATION_CREDENTIALS: path.optional(),
  GOOGLE_DRIVE_FOLDER: z
    .string()
    .regex(/^[\w-]{10,100}$/, "must be the id at the end of the folder's address")
    .optional(),
  EMBEDDINGS_URL: httpUrl.optional(),
  EMBEDDINGS_API_KEY: z.string().optional(),
  EMBEDDINGS_MODELS: z.string().optional(),
  AIRFLOW_URL: httpUrl.optional(),
  AIRFLOW_VERSION: z.enum(['2', '3']).default('3'),
  AIRFLOW_USERNAME: z.string().optional(),
  AIRFLOW_PASSWORD: z.string().optional(),
  AIRFLOW_DAG_ID: z
    .string()
    .regex(/^[\w.-]{1,250}$/, 'must be letters, digits, dots, dashes and underscores')
    .default('vectorize_narrative'),
  LINK_CHECK_PRIVATE: z.enum(['on', 'off']).default('off'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Env = z.output<typeof Settings>

/** A startup error that the operator can fix, printed as one line. */
export class StartError extends Error {}

export function readEnv(source: Record<string, string | undefined>): Env {
  const names = Object.keys(Settings.shape)
  for (const name of Object.keys(source)) {
    const meant = likelySetting(name, names)
    if (meant) console.warn(`${name} is not a setting and has no effect. Did you mean ${meant}?`)
  }
  const given = Object.fromEntries(
    names.map((name) => [name, source[name]]).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Settings.safeParse(given)
  const lines = parsed.success
    ? lacking(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (parsed.success && lines.length === 0) return parsed.data
  throw new StartError(`Bad setting. ${lines.join('; ')}`)
}

/** Links in mails, and the address to which a provider sends the browser back, must not depend on a header. */
function lacking(env: Env) {
  const needs: [isUsed: boolean, name: string, others: (keyof Env)[]][] = [
    [env.OIDC_ISSUER !== undefined, 'OIDC_ISSUER', ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL']],
    [env.SMTP_URL !== undefined, 'SMTP_URL', ['MAIL_FROM', 'PUBLIC_URL']],
    [env.REQUIRE_SECOND_FACTOR !== 'none' && env.DATABASE_URL !== undefined, 'REQUIRE_SECOND_FACTOR', ['SECRET_KEY']],
    [env.PASSWORD_LOGIN === 'off', 'PASSWORD_LOGIN=off', ['OIDC_ISSUER']],
  ]
  return needs.flatMap(([isUsed, name, others]) =>
    others.filter((other) => isUsed && env[other] === undefined).map((other) => `${name} needs ${other} too`),
  )
}
