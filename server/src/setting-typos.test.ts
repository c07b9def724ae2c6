import { expect, test, vi } from 'vitest'
import { readEnv, Settings } from './env.ts'
import { likelySetting } from './setting-typos.ts'

const SETTINGS = Object.keys(Settings.shape)

test.each([
  ['SESSION_IDLE_MINUTE', 'SESSION_IDLE_MINUTES'],
  ['SESSION_IDLE', 'SESSION_IDLE_MINUTES'],
  ['SESSION_MAX_HOURS', 'SESSION_MAX_MINUTES'],
  ['SHUTDOWN_DELAY_SECONDS', 'SHUTDOWN_DELAY_MS'],
  ['BODY_LIMIT_MB', 'BODY_LIMIT_BYTES'],
  ['AUDIT_KEEP_DAY', 'AUDIT_KEEP_DAYS'],
  ['SESSION_PER_USER', 'SESSIONS_PER_USER'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['DATA-DIR', 'DATA_DIR'],
  ['SECRETKEY', 'SECRET_KEY'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['LOG_LEVL', 'LOG_LEVEL'],
  ['REQUIRE_SECOND_FACTORS', 'REQUIRE_SECOND_FACTOR'],
  ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
  ['AIRFLOW_USER_NAME', 'AIRFLOW_USERNAME'],
])('%s is probably meant to be %s', (name, setting) => {
  expect(likelySetting(name, SETTINGS)).toBe(setting)
})

const OF_OTHERS = `
  PATH HOME HOSTNAME HOSTTYPE HOSTS PORTS PORT_FORWARD POST LANG PWD USER LOGNAME MAIL SHELL SHLVL TERM TZ _
  XDG_DATA_DIRS XDG_DATA_HOME SSH_CLIENT SUDO_USER INVOCATION_ID HTTP_PROXY https_proxy no_proxy NODE_ENV
  NODE_OPTIONS npm_config_cache npm_config_loglevel INIT_CWD PGDATA PGHOST PGPORT DATABASE_HOST DATABASE_PORT
  DATABASE_USER DATABASE_NAME DATABASE_PASSWORD WATCHDESK_PORT WATCHDESK_SERVICE_HOST SMTP_HOST SMTP_PORT
  SMTP_USER SMTP_PASSWORD REDIS_URL BASE_URL AIRFLOW_HOME AIRFLOW_UID AIRFLOW__CORE__EXECUTOR GOOGLE_CLOUD_PROJECT
  AWS_SECRET_ACCESS_KEY SECRET_KEY_BASE SESSION_MANAGER SESSION_SECRET LOG_FORMAT LOG_FILE VITE_API_URL
  CHROMIUM_PATH KUBERNETES_PORT API_TOKEN
`
  .trim()
  .split(/\s+/)

test('neither settings nor variables of other software count as mistyped', () => {
  expect([...OF_OTHERS, ...SETTINGS].filter((name) => likelySetting(name, SETTINGS))).toEqual([])
})

test('a mistyped setting is reported with the likely name and without its value, and the start goes on', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(readEnv({ SECRET_KEYS: 'hunter2', PATH: '/bin' })).toEqual(readEnv({}))
  expect(warn.mock.calls).toEqual([['SECRET_KEYS is not a setting and has no effect. Did you mean SECRET_KEY?']])
  warn.mockRestore()
})
