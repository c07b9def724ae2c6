import pg from 'pg'
import { StartError } from '../env.ts'

const OLDEST_POSTGRES = 15
const CONNECT_MS = 5000

export async function inspectServer(url: string) {
  const connectionString = withStrictTls(url)
  const client = create(connectionString)
  client.on('error', () => {})
  let announcedPid: number | undefined
  client.connection.once('backendKeyData', (message: { processID: number }) => {
    announcedPid = message.processID
  })
  try {
    await client.connect()
    const { rows } = await client.query<Facts>(FACTS)
    const facts = rows[0] as Facts
    // A pooler such as PgBouncer announces a process of its own, and may give each transaction another connection.
    const isPooled = announcedPid !== facts.pid
    checkFacts(facts, isPooled)
    return { connectionString, isPooled }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(explain(error as NodeJS.ErrnoException))
  } finally {
    await client.end().catch(() => {})
  }
}

/** Without our own parameters: a pooler rejects unknown ones. */
function create(connectionString: string) {
  try {
    return new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  } catch (error) {
    throw new StartError(`Bad setting. DATABASE_URL: ${(error as Error).message}`)
  }
}

type Facts = {
  major: number
  is_standby: boolean
  is_read_only: boolean
  pid: number
  role: string
  has_time_limits: boolean
}

const FACTS = `select current_setting('server_version_num')::int / 10000 as major, pg_is_in_recovery() as is_standby,
  current_setting('transaction_read_only') = 'on' as is_read_only, pg_backend_pid() as pid, current_user::text as role,
  current_setting('statement_timeout') <> '0' and current_setting('idle_in_transaction_session_timeout') <> '0'
    as has_time_limits`

function checkFacts({ major, is_standby, is_read_only, role, has_time_limits }: Facts, isPooled: boolean) {
  if (major < OLDEST_POSTGRES) {
    throw new StartError(`DATABASE_URL: Watchdesk needs PostgreSQL ${OLDEST_POSTGRES} or newer; this is ${major}`)
  }
  if (is_standby) {
    throw new StartError('DATABASE_URL points to a standby, which is read-only: set it to the address of the primary')
  }
  if (is_read_only) {
    throw new StartError(
      'The database of DATABASE_URL is read-only: set default_transaction_read_only to off for its role and database',
    )
  }
  if (isPooled && !has_time_limits) {
    throw new StartError(
      'DATABASE_URL points to a connection pooler, which does not apply STATEMENT_TIMEOUT_MS: run ' +
        `ALTER ROLE "${role}" SET statement_timeout = '10s'; ` +
        `ALTER ROLE "${role}" SET idle_in_transaction_session_timeout = '10s'; then reconnect the pooler`,
    )
  }
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** The driver checks certificates in each of these modes, and warns unless the strict one is set. */
function withStrictTls(url: string) {
  const parsed = new URL(url)
  const mode = parsed.searchParams.get('sslmode')
  if (mode === null || parsed.searchParams.has('uselibpqcompat')) return url
  if (!SSL_MODES.includes(mode)) {
    throw new StartError(`Bad setting. DATABASE_URL: sslmode must be one of ${SSL_MODES.join(', ')}`)
  }
  if (['prefer', 'require', 'verify-ca'].includes(mode)) parsed.searchParams.set('sslmode', 'verify-full')
  return parsed.href
}

const UNKNOWN_CA = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)_\w+)$/

function explain({ code = '', message }: NodeJS.ErrnoException) {
  const prefix = 'The database of DATABASE_URL cannot be reached'
  if (UNKNOWN_CA.test(code)) {
    return `${prefix}: the CA of its certificate is unknown here (${code}). Add sslrootcert=/path/to/ca.crt to DATABASE_URL`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${prefix}: its certificate is for another host name. Use that name in DATABASE_URL (${message})`
  }
  if (message.includes('does not support SSL')) {
    return `${prefix}: the server does not support TLS. Switch it on there, or set sslmode=disable in DATABASE_URL`
  }
  // Of an address with several IP addresses, each failure is one of several.
  return `${prefix}: ${message || code}`.replaceAll('\n', ' ')
}
