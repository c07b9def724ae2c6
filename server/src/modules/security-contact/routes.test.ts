import { expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { SECURITY_HEADERS } from '../../plugins/security.ts'

const ADDRESS = '/.well-known/security.txt'
const DAY_MS = 86_400_000

const reachable = useWatchdesk({
  SECURITY_CONTACT: 'mailto:security@example.com',
  PUBLIC_URL: 'https://watchdesk.example.com/console',
})
const local = useWatchdesk({ SECURITY_CONTACT: 'https://example.com/report' })
const silent = useWatchdesk()

function fieldsOf(text: string) {
  return Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/, 2)))
}

test('security.txt says where to report security problems, in which language, and its own address', async () => {
  const { status, body, headers } = await reachable.anonymous<string>('GET', ADDRESS)
  expect(status).toBe(200)
  expect(headers).toMatchObject({ ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
  expect(body).toMatch(/^([\w-]+: \S+\n)+$/)
  expect(fieldsOf(body)).toMatchObject({
    Contact: 'mailto:security@example.com',
    'Preferred-Languages': 'en',
    Canonical: 'https://watchdesk.example.com/.well-known/security.txt',
  })
})

test('it expires in some months, but in less than a year', async () => {
  const { body } = await reachable.anonymous<string>('GET', ADDRESS)
  const { Expires } = fieldsOf(body)
  expect(Expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const days = (Date.parse(Expires) - Date.now()) / DAY_MS
  expect(days).toBeGreaterThan(90)
  expect(days).toBeLessThan(365)
})

test('without a public address it does not repeat the address of the request', async () => {
  const { status, body } = await local.anonymous<string>('GET', ADDRESS, undefined, { host: 'evil.example' })
  expect(status).toBe(200)
  expect(Object.keys(fieldsOf(body)).filter(Boolean)).toEqual(['Contact', 'Expires', 'Preferred-Languages'])
  expect(body).toContain('Contact: https://example.com/report\n')
  expect(body).not.toContain('evil')
})

test('without a contact there is no such file, for browsers too', async () => {
  for (const accept of ['*/*', 'text/html']) {
    const { status, body, headers } = await silent.anonymous('GET', ADDRESS, undefined, { accept })
    expect({ status, body }).toEqual({ status: 404, body: { detail: 'Not found.' } })
    expect(headers).toMatchObject(SECURITY_HEADERS)
  }
})
