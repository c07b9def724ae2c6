import { createServer } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { handleErrors } from '../plugins/errors.ts'
import { databaseFailure } from './errors.ts'

const failed = (code: string, syscall?: string) => Object.assign(new Error('failed'), { code, syscall })

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '08006',
  '53300',
  '57P01',
  '57P03',
])('%s means that the database is unreachable', (code) => expect(databaseFailure(failed(code))).toBe('unreachable'))

test.each([
  ['25006', 'read_only'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['53100', 'disk_full'],
  ['57014', 'timeout'],
])('%s is reported as %s', (code, failure) => expect(databaseFailure(failed(code))).toBe(failure))

test.each(['EMFILE', 'ENFILE', 'EACCES', 'ENOENT', 'ENOSPC', 'EISDIR', '23505', '42P01', 'ERR_INVALID_ARG_TYPE'])(
  '%s is not a failure of the database that passes',
  (code) => expect(databaseFailure(failed(code))).toBeUndefined(),
)

test('a database that refuses connections, has no socket or does not respond is unreachable', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const connections: pg.ClientConfig[] = [
    { host: '127.0.0.1', port: 1 },
    { host: '/nowhere', port: 5432 },
    { host: '127.0.0.1', port, connectionTimeoutMillis: 100 },
  ]
  for (const connection of connections) {
    const client = new pg.Client(connection)
    expect(await client.connect().catch(databaseFailure)).toBe('unreachable')
    const pool = new pg.Pool(connection)
    expect(await pool.query('select 1').catch(databaseFailure)).toBe('unreachable')
    await pool.end()
  }
  silent.close()
})

test('a call is answered 503 while the database is unreachable, and 500 when the server has no file handles left', async () => {
  const app = Fastify()
  handleErrors(app)
  app.get('/:code', async (request) => {
    throw failed((request.params as { code: string }).code)
  })
  const statusOf = async (code: string) => (await app.inject(`/${code}`)).statusCode
  expect([await statusOf('ECONNREFUSED'), await statusOf('EMFILE')]).toEqual([503, 500])
})
