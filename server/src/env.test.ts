import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { readEnv, Settings, StartError } from './env.ts'

const projectDir = fileURLToPath(new URL('../..', import.meta.url))
const OPTIONAL = [
  'PUBLIC_URL',
  'TRUST_PROXY',
  'DATABASE_URL',
  'BOOTSTRAP_ADMIN_PASSWORD',
  'AUDIT_KEEP_DAYS',
  'CATALOG_FILE',
  'METRICS_TOKEN',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_DRIVE_FOLDER',
  'EMBEDDINGS_URL',
  'EMBEDDINGS_API_KEY',
  'EMBEDDINGS_MODELS',
  'AIRFLOW_URL',
  'AIRFLOW_USERNAME',
  'AIRFLOW_PASSWORD',
  'SECRET_KEY',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NEW_USERS_WORKSPACE',
  'OIDC_ROLES',
  'SMTP_URL',
  'MAIL_FROM',
  'SECURITY_CONTACT',
]

test('nothing needs to be set: every setting has its default or is none', () => {
  const defaults = {
    HOST: '127.0.0.1',
    PORT: 3000,
    DATA_DIR: join(projectDir, 'data'),
    DATABASE_POOL_SIZE: 10,
    STATEMENT_TIMEOUT_MS: 10_000,
    BOOTSTRAP_ADMIN_EMAIL: 'admin@watchdesk.local',
    SESSION_IDLE_MINUTES: 8 * 60,
    SESSION_MAX_MINUTES: 24 * 60,
    SESSIONS_PER_USER: 20,
    REQUIRE_SECOND_FACTOR: 'none',
    PASSWORD_MIN_LENGTH: 8,
    LOGIN_RATE_LIMIT: 60,
    EXPENSIVE_RATE_LIMIT: 120,
    PASSWORD_LOGIN: 'on',
    OIDC_LABEL: 'Single sign-on',
    OIDC_ROLES_CLAIM: 'groups',
    MAX_EVENT_LOOP_DELAY_MS: 1000,
    SHUTDOWN_DELAY_MS: 0,
    SLOW_CLIENT_TIMEOUT_MS: 15_000,
    BODY_LIMIT_BYTES: 1_048_576,
    IMPORT_BODY_LIMIT_BYTES: 67_108_864,
    UPLOAD_LIMIT_BYTES: 536_870_912,
    SHEETS_KEEP_DAYS: 90,
    TRIAL_END: 'show',
    QUOTA_RENEWAL: 'monthly',
    AIRFLOW_VERSION: '3',
    AIRFLOW_DAG_ID: 'vectorize_narrative',
    LINK_CHECK_PRIVATE: 'off',
    LOG_LEVEL: 'info',
  }
  expect(readEnv({})).toEqual(defaults)
  expect(Object.keys(Settings.shape).sort()).toEqual([...Object.keys(defaults), ...OPTIONAL].sort())
})

test('a setting that is there but empty counts as not set', () => {
  const empty = Object.fromEntries(Object.keys(Settings.shape).map((name) => [name, '']))
  expect(readEnv(empty)).toEqual(readEnv({}))
})

test('every setting can be set, and the environment may hold others', () => {
  const source = {
    HOST: '0.0.0.0',
    PORT: '0',
    PUBLIC_URL: 'https://desk.example.com',
    TRUST_PROXY: 'loopback',
    DATA_DIR: '/var/lib/watchdesk',
    DATABASE_URL: 'postgresql://user:secret@db.example.com/watchdesk',
    DATABASE_POOL_SIZE: '2',
    STATEMENT_TIMEOUT_MS: '100',
    BOOTSTRAP_ADMIN_EMAIL: 'olena@example.com',
    BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9',
    SESSION_IDLE_MINUTES: '1',
    SESSION_MAX_MINUTES: '2',
    SESSIONS_PER_USER: '3',
    REQUIRE_SECOND_FACTOR: 'super_admins',
    SECRET_KEY: '0123456789abcdef0123456789abcdef',
    PASSWORD_MIN_LENGTH: '17',
    LOGIN_RATE_LIMIT: '5',
    EXPENSIVE_RATE_LIMIT: '6',
    PASSWORD_LOGIN: 'off',
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_LABEL: 'Example',
    OIDC_NEW_USERS_WORKSPACE: '7',
    OIDC_ROLES_CLAIM: 'roles',
    OIDC_ROLES: 'desk-admins=super_admin,desk-audit=auditor',
    SMTP_URL: 'smtp://user:secret@mail.example.com:587',
    MAIL_FROM: 'Watchdesk <desk@example.com>',
    SECURITY_CONTACT: 'mailto:security@example.com',
    MAX_EVENT_LOOP_DELAY_MS: '0',
    SHUTDOWN_DELAY_MS: '5000',
    SLOW_CLIENT_TIMEOUT_MS: '1000',
    BODY_LIMIT_BYTES: '2048',
    IMPORT_BODY_LIMIT_BYTES: '4096',
    UPLOAD_LIMIT_BYTES: '8192',
    GOOGLE_APPLICATION_CREDENTIALS: '/etc/watchdesk/google.json',
    GOOGLE_DRIVE_FOLDER: '0AFolderOfASharedDrive',
    EMBEDDINGS_URL: 'https://models.example.com',
    EMBEDDINGS_API_KEY: 'secret',
    EMBEDDINGS_MODELS: 'small,large',
    AIRFLOW_URL: 'https://airflow.example.com',
    AIRFLOW_VERSION: '2',
    AIRFLOW_USERNAME: 'watchdesk',
    AIRFLOW_PASSWORD: 'secret',
    AIRFLOW_DAG_ID: 'vectors',
    AUDIT_KEEP_DAYS: '365',
    SHEETS_KEEP_DAYS: '0',
    TRIAL_END: 'deactivate',
    QUOTA_RENEWAL: 'off',
    CATALOG_FILE: '/etc/watchdesk/catalog.json',
    METRICS_TOKEN: '0123456789abcdef',
    LINK_CHECK_PRIVATE: 'on',
    LOG_LEVEL: 'silent',
  }
  expect(Object.keys(source).sort()).toEqual(Object.keys(Settings.shape).sort())
  const env = Object.entries(readEnv({ ...source, PATH: '/bin', PORT_FORWARD: 'x' }))
  const roles = [
    { value: 'desk-admins', role: 'super_admin' },
    { value: 'desk-audit', role: 'auditor' },
  ]
  const texts = env.map(([name, value]) => [name, name === 'OIDC_ROLES' ? value : String(value)])
  expect(Object.fromEntries(texts)).toEqual({ ...source, OIDC_ROLES: roles })
})

test.each(['DATA_DIR', 'CATALOG_FILE', 'GOOGLE_APPLICATION_CREDENTIALS'] as const)(
  'a relative %s is below the project, wherever the start was',
  (name) => {
    expect(readEnv({ [name]: 'var/here' })[name]).toBe(join(projectDir, 'var/here'))
    expect(readEnv({ [name]: '/var/here' })[name]).toBe('/var/here')
  },
)

const PROXIES = [
  ...['10.0.0.1', '10.0.0.0/8', ' 10.0.0.1 , 10.0.0.2/32 ', '0.0.0.0/1', 'loopback', 'loopback,linklocal,uniquelocal'],
  ...['::1', '::/1', 'fe80::1', '2001:DB8::/32', '::ffff:10.0.0.1', '::ffff:10.0.0.0/104', '64:ff9b::10.0.0.1/128'],
]
const BAD_PROXIES = [
  ...['proxy', '10.0.0', '10.0.0.256', '010.0.0.1', '10.0.0.1,', '10.0.0.1;10.0.0.2', 'loopback/8', 'true', '1'],
  ...['10.0.0.0/0', '10.0.0.0/33', '10.0.0.0/255.0.0.0', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/-1', '::/0', '::/129'],
  ...['fe80::1%eth0', 'fe80::1%eth0.100', 'fe80::1%eth0/64'],
]

test.each(PROXIES)('TRUST_PROXY=%s is one that Fastify understands', (TRUST_PROXY) => {
  expect(() => Fastify({ trustProxy: readEnv({ TRUST_PROXY }).TRUST_PROXY ?? '' })).not.toThrow()
})

describe('a bad value is named in one line', () => {
  const wholeNumbers = {
    PORT: ['-1', '65536', '80a', '3000.5', ' 3000', '0x50', '1e3'],
    DATABASE_POOL_SIZE: ['1', '1001'],
    STATEMENT_TIMEOUT_MS: ['99', '600001'],
    SESSION_IDLE_MINUTES: ['0', '525601'],
    SESSION_MAX_MINUTES: ['0', '525601'],
    PASSWORD_MIN_LENGTH: ['7', '18'],
    SESSIONS_PER_USER: ['0', '1000001'],
    LOGIN_RATE_LIMIT: ['0', '1000001'],
    EXPENSIVE_RATE_LIMIT: ['0', '1000001'],
    OIDC_NEW_USERS_WORKSPACE: ['0', '2147483648'],
    MAX_EVENT_LOOP_DELAY_MS: ['-1', '60001'],
    SHUTDOWN_DELAY_MS: ['-1', '300001'],
    SLOW_CLIENT_TIMEOUT_MS: ['999', '300001'],
    BODY_LIMIT_BYTES: ['1023', '1073741825', '99999999999999999999'],
    IMPORT_BODY_LIMIT_BYTES: ['1023', '1073741825'],
    UPLOAD_LIMIT_BYTES: ['1023', '10737418241'],
  }
  test.each(Object.entries(wholeNumbers).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    '%s=%s is no whole number in its range',
    (name, value) => {
      expect(refusal({ [name]: value })).toMatch(
        new RegExp(`^Bad setting\\. ${name}: must be a whole number from \\d+ to \\d+$`),
      )
    },
  )

  test.each([
    ['PUBLIC_URL', 'desk.example.com', 'must be an http or https address'],
    ['PUBLIC_URL', 'ftp://desk.example.com', 'must be an http or https address'],
    ['OIDC_ISSUER', 'id.example.com', 'must be an http or https address'],
    ['SMTP_URL', 'https://mail.example.com', 'must look like smtp://user:password@host:587'],
    ['SECRET_KEY', 'short', 'must have at least 32 characters'],
    ['SECURITY_CONTACT', 'http://example.com', 'must be an https or mailto address'],
    ['AIRFLOW_URL', 'airflow', 'must be an http or https address'],
    ['AIRFLOW_DAG_ID', 'a/b', 'must be letters, digits, dots, dashes and underscores'],
    ['EMBEDDINGS_URL', 'file:///x', 'must be an http or https address'],
    ['GOOGLE_DRIVE_FOLDER', 'https://drive.google.com/x', "must be the id at the end of the folder's address"],
    ['DATABASE_URL', 'mysql://db', 'must look like postgres://user:password@host:5432/database'],
    ...[
      'postgres://u:p@a:5432,b:5432/db',
      'postgres://a,b/db',
      'postgres://u@a/db?host=b,c',
      'postgresql://u@a/db?x=1&host=b%2Cc',
    ].map((url) => [
      'DATABASE_URL',
      url,
      'must have one host: the address that always leads to the primary (see docs/operations.md)',
    ]),
    ['DATABASE_URL', 'localhost', 'must look like postgres://user:password@host:5432/database'],
    ...BAD_PROXIES.map((value) => [
      'TRUST_PROXY',
      value,
      'must be addresses or networks such as 10.0.0.1, 10.0.0.0/8 or loopback, comma-separated',
    ]),
    ['BOOTSTRAP_ADMIN_EMAIL', 'admin', 'must be an email address'],
    ['BOOTSTRAP_ADMIN_PASSWORD', '  ', 'Password is required!'],
    ['METRICS_TOKEN', 'short', 'must have at least 16 characters'],
  ])('%s=%s', (name, value, message) => {
    expect(refusal({ [name]: value })).toBe(`Bad setting. ${name}: ${message}`)
  })

  test('LOG_LEVEL=loud, with the choices', () => {
    expect(refusal({ LOG_LEVEL: 'loud' })).toMatch(/^Bad setting\. LOG_LEVEL: .*"fatal".*"silent"$/)
  })

  test('several at once are all named', () => {
    const message = refusal({ PORT: 'x', LOG_LEVEL: 'loud', PUBLIC_URL: 'x' })
    for (const name of ['PORT', 'LOG_LEVEL', 'PUBLIC_URL']) expect(message).toContain(`${name}: `)
  })

  test('a secret is never repeated in it', () => {
    const secret = 'ж'.repeat(600)
    expect(refusal({ BOOTSTRAP_ADMIN_PASSWORD: secret })).not.toContain(secret)
    expect(refusal({ DATABASE_URL: 'mysql://user:hunter2@db' })).not.toContain('hunter2')
  })

  function refusal(source: Record<string, string>) {
    try {
      readEnv(source)
    } catch (error) {
      expect(error).toBeInstanceOf(StartError)
      expect((error as Error).message).not.toContain('\n')
      return (error as Error).message
    }
    throw new Error('was accepted')
  }
})

test('docs/settings.md has a row with the default for every setting, and for none that does not exist', async () => {
  const text = await readFile(join(projectDir, 'docs/settings.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| `?([^|`]*)`? \|/gm)].map(([, name, value]) => [name, value])
  const defaults: Record<string, unknown> = { ...readEnv({}), DATA_DIR: './data', CATALOG_FILE: 'server/catalog.json' }
  const settings = Object.keys(Settings.shape).map((name) => [name, String(defaults[name] ?? 'none')])
  expect(rows.sort()).toEqual(settings.sort())
})

test.each([
  [{ PASSWORD_LOGIN: 'off' }, 'PASSWORD_LOGIN=off needs OIDC_ISSUER too'],
  [
    { OIDC_ISSUER: 'https://id.example.com' },
    'OIDC_ISSUER needs OIDC_CLIENT_ID too; OIDC_ISSUER needs OIDC_CLIENT_SECRET too; OIDC_ISSUER needs PUBLIC_URL too',
  ],
  [{ SMTP_URL: 'smtp://localhost' }, 'SMTP_URL needs MAIL_FROM too; SMTP_URL needs PUBLIC_URL too'],
])('%j lacks a setting', (source, message) => {
  expect(() => readEnv(source)).toThrow(`Bad setting. ${message}`)
})
