import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { errorText } from '@watchdesk/contract/errors'
import { importStories } from '@watchdesk/contract/stories-import'
import { importStories as schema } from '@watchdesk/contract/stories-import.schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BOUNDARY, FORM_TYPE, formOf, multipart } from '../../test/helpers/form.ts'
import { sendRaw } from '../../test/helpers/raw.ts'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { workbook } from '../../test/helpers/workbook.ts'
import { buildApp } from '../app.ts'
import { scheduledTasks } from '../scheduled-tasks.ts'
import type { App } from './contract.ts'
import { type Upload, withUpload } from './upload.ts'

const LIMIT = 2_000_000
const watchdesk = useWatchdesk({ UPLOAD_LIMIT_BYTES: String(LIMIT), IMPORT_BODY_LIMIT_BYTES: String(LIMIT) })

const Echo = z.object({ name: z.string(), kind: z.string(), bytes: z.int(), sha256: z.string(), fields: z.unknown() })
const PATH = '/api/v1/echo'
let app: App
let port: number
let seen: { mode: number; text: string } | undefined

beforeAll(async () => {
  app = await buildApp(watchdesk.deps)
  app.route({
    ...importStories,
    url: PATH,
    schema: { ...schema, response: { 200: Echo } },
    handler: (request) =>
      withUpload(request, async ({ path, sha256, ...upload }: Upload) => {
        seen = { mode: statSync(path).mode & 0o777, text: readFileSync(path, 'utf8') }
        if (upload.name === 'fails.csv') throw new Error('on purpose')
        return { ...upload, sha256: sha256.toString('hex') }
      }),
  })
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => app.close())

const authorization = () => `Bearer ${watchdesk.admin.token}`
const left = () => {
  try {
    return readdirSync(join(watchdesk.deps.env.DATA_DIR, 'tmp'))
  } catch {
    return []
  }
}

async function post(form: FormData) {
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, {
    method: 'POST',
    headers: { authorization: authorization() },
    body: form,
  })
  const body = (await response.json()) as Upload
  return { status: response.status, body, text: response.ok ? '' : errorText(body) }
}

test('a file arrives whole, with its name, kind, size and digest, and is gone afterwards', async () => {
  const { status, body } = await post(formOf('a.csv', 'a,b\n1,2\n', { delete_existing_stories: 'true' }))
  expect(status).toBe(200)
  expect(body).toEqual({
    name: 'a.csv',
    kind: 'csv',
    bytes: 8,
    sha256: '492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470',
    fields: { delete_existing_stories: 'true' },
  })
  expect(seen).toEqual({ mode: 0o600, text: 'a,b\n1,2\n' })
  expect(left()).toEqual([])
})

test('a file as large as the limit is taken, one byte more is not', async () => {
  expect((await post(formOf('a.csv', Buffer.alloc(LIMIT, 'x')))).body).toMatchObject({ bytes: LIMIT })
  const { status, text } = await post(formOf('a.csv', Buffer.alloc(LIMIT + 1, 'x')))
  expect([status, text]).toEqual([413, 'The file is larger than the limit of 2,000,000 bytes.'])
  expect(left()).toEqual([])
})

test('the file goes also when the work fails', async () => {
  expect((await post(formOf('fails.csv', 'x'))).status).toBe(500)
  expect(left()).toEqual([])
})

test('without free disk space for the file, the call fails, and the next one succeeds when there is', async () => {
  const dir = join(watchdesk.deps.env.DATA_DIR, 'tmp')
  rmSync(dir, { recursive: true, force: true })
  writeFileSync(dir, 'in the way')
  const { status, text } = await post(formOf('a.csv', 'x'))
  expect([status, text]).toEqual([
    503,
    expect.stringMatching(/^The server does not have enough free disk space for the file/),
  ])
  rmSync(dir)
  expect((await post(formOf('a.csv', 'x'))).status).toBe(200)
})

describe('what a file is shows in its name and in its first bytes', () => {
  const OLD = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const TYPE = 'File must be of type csv or xlsx.'
  const XLS = /^The file is an old \.xls workbook or protected by a password\./
  const zip = () => workbook('')

  test.each([
    ['a.csv', 'text', 'csv'],
    ['A.CSV', '', 'csv'],
    ['a.xlsx', zip, 'xlsx'],
    ['названий.xlsx', zip, 'xlsx'],
    ['a.csv', zip, 'xlsx'],
  ])('%s', async (name, content, kind) => {
    const { status, body } = await post(formOf(name, typeof content === 'string' ? content : await content()))
    expect([status, body]).toEqual([200, expect.objectContaining({ name, kind })])
  })

  test.each([
    ['a.txt', 'x', TYPE],
    ['a.xls', OLD, TYPE],
    ['csv', 'x', TYPE],
    ['a.csv.exe', 'x', TYPE],
    ['a.xlsx', 'a,b', 'The file has the extension .xlsx but is not an Excel workbook.'],
    ['a.xlsx', '', 'The file has the extension .xlsx but is not an Excel workbook.'],
    ['a.xlsx', OLD, XLS],
    ['a.csv', OLD, XLS],
  ])('%s is refused', async (name, content, message) => {
    const { status, text, body } = await post(formOf(name, content))
    expect([status, text]).toEqual([422, typeof message === 'string' ? message : expect.stringMatching(message)])
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'file'] }] })
  })
})

describe('a form', () => {
  const file = { name: 'file', filename: 'a.csv', content: 'x' }
  const field = (name: string, content: string) => ({ name, content })

  test.each([
    ['without a file', [], 'File is required'],
    ['with a text instead of a file', [field('file', 'x')], /file/],
    ['with two files', [file, file], 'Only one file can be uploaded at a time.'],
    ['with an unknown field', [file, field('x', '1')], 'x is not a known field.'],
    ['with a file under another name', [file, { ...file, name: 'y' }], 'y is not a known field.'],
    [
      'with a field twice',
      [field('delete_existing_stories', 'true'), field('delete_existing_stories', 'false'), file],
      'The form contains delete_existing_stories twice.',
    ],
    ...['', 'yes', 'TRUE', '1', 'on', ' true', 'x'.repeat(5000)].map(
      (value) =>
        [
          'with a choice that is none',
          [file, field('delete_existing_stories', value)],
          /^delete_existing_stories: /,
        ] as const,
    ),
  ] as const)('%s is a 422', async (_, parts, message) => {
    const response = await send(multipart([...parts]))
    expect(response.status).toBe(422)
    const text = errorText(JSON.parse(response.body))
    expect(text).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    expect(left()).toEqual([])
  })

  test.each([
    ['that is cut off', multipart([file]).subarray(0, -20)],
    ['that is none', Buffer.from('{"file":1}')],
    ['with __proto__', multipart([file, field('__proto__', 'x')])],
    ['with constructor', multipart([file, field('constructor', 'x')])],
    ['with too many fields', multipart([file, ...Array.from({ length: 40 }, (_, index) => field(`f${index}`, 'x'))])],
    ['with too many files', multipart(Array.from({ length: 40 }, () => file))],
    ['with a file under constructor', multipart([{ ...file, name: 'constructor' }])],
  ])('%s is a 4xx with a detail', async (_, bytes) => {
    const response = await send(bytes)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(errorText(JSON.parse(response.body))).not.toBe('')
    expect(left()).toEqual([])
  })
})

test('a file is known by its name without the characters that cannot be kept', async () => {
  const inUtf16 = Buffer.from('a\0\ud800b.csv', 'utf16le').toString('hex').replace(/../g, '%$&')
  const name = `file"; filename*=utf-16le''${inUtf16}; x="`
  const response = await send(multipart([{ name, content: 'x' }]))
  expect([response.status, JSON.parse(response.body).name]).toEqual([200, 'ab.csv'])
})

function head(headers: string[], { path = PATH, type = FORM_TYPE } = {}) {
  const about = ['Host: watchdesk', `Authorization: ${authorization()}`, `Content-Type: ${type}`]
  const all = [`POST ${path} HTTP/1.1`, ...about, ...headers]
  return `${all.join('\r\n')}\r\n\r\n`
}

function send(bytes: Buffer) {
  const headers = head([`Content-Length: ${bytes.length}`, 'Connection: close'])
  return sendRaw(port, Buffer.concat([Buffer.from(headers), bytes]))
}

const BEGIN = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`

test('a body that declares too much is refused before it is sent', async () => {
  const response = await sendRaw(port, head(['Content-Length: 1073741824', 'Connection: close']))
  expect(response.status).toBe(413)
  expect(JSON.parse(response.body).detail).toMatch(/^The file is larger than the limit of 2,000,000 bytes/)
})

describe.each([
  ['a file', PATH, FORM_TYPE, BEGIN, 1024],
  ['JSON', '/api/v1/users/', 'application/json', '{"first_name":"', 128],
  ['JSON of an import', '/api/v1/source_import/sources', 'application/json', '{"email":"', 128],
  ['JSON without a session', '/api/v1/login', 'application/json', '{"email":"', 128],
])('1 GB of %s', (_, path, type, begin, megabytes) => {
  test.each(['declared', 'in chunks'])('%s, is a 413 and takes no memory', async (how) => {
    const isDeclared = how === 'declared'
    const before = process.memoryUsage.rss()
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const closed = new Promise((go) => socket.once('close', go))
    let response = ''
    socket.on('data', (chunk) => {
      response += chunk
    })
    // It closes the connection when it has had enough.
    socket.on('error', () => {})
    socket.write(head([isDeclared ? 'Content-Length: 1073741824' : 'Transfer-Encoding: chunked'], { path, type }))
    const piece = Buffer.alloc(1_048_576, 'x')
    const chunk = isDeclared ? piece : Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')])
    if (!isDeclared) socket.write(`${begin.length.toString(16)}\r\n${begin}\r\n`)
    let most = before
    for (let sent = 0; sent < megabytes && !socket.destroyed; sent += 1) {
      if (!socket.write(chunk)) await Promise.race([closed, new Promise((go) => socket.once('drain', go))])
      most = Math.max(most, process.memoryUsage.rss())
    }
    socket.destroy()
    expect(response).toMatch(/^HTTP\/1.1 413 [\s\S]*\{"detail":"The (file|body) is larger than /)
    expect(most - before).toBeLessThan(50_000_000)
    expect(left()).toEqual([])
  })
})

test.each([PATH, '/api/v1/users/'])(
  'a client that sends a whole body that is too large to %s can still read the response',
  async (path) => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const type = path === PATH ? FORM_TYPE : 'application/json'
    socket.write(head(['Content-Length: 30000000'], { path, type }))
    await new Promise((go) => socket.write(Buffer.alloc(30_000_000, 'x'), go))
    const [response] = await once(socket, 'data')
    socket.destroy()
    expect(response).toMatch(/^HTTP\/1.1 413 /)
  },
)

test('300 senders that hang up leave neither open files nor temporary ones', async () => {
  const openFiles = () => readdirSync('/dev/fd').length
  const abort = async (index: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(head(['Content-Length: 1000000']) + BEGIN + 'x'.repeat((index * 977) % 300_000))
    // Some hang up before the file has begun, some while it is written.
    if (index % 3 > 0) await waitFor(() => left().length > 0)
    socket.destroy()
    await once(socket, 'close')
  }
  await Promise.all(Array.from({ length: 10 }, (_, index) => abort(index)))
  await waitFor(() => left().length === 0 && watchdesk.deps.semaphores.importCalls.active === 0)
  const before = openFiles()
  for (let index = 0; index < 300; index += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, more) => abort(index + more)))
    await waitFor(() => left().length === 0 && watchdesk.deps.semaphores.importCalls.active === 0)
  }
  // Connections to the database come and go meanwhile, up to ten.
  await waitFor(() => openFiles() <= before + 10)
  expect((await post(formOf('a.csv', 'x'))).status).toBe(200)
})

/** The other side sends no event for what it has cleared away. */
async function waitFor(holds: () => boolean) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('files that killed servers left are removed at the next start, those of running ones are not', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const host = encodeURIComponent(hostname())
  const dir = join(watchdesk.deps.env.DATA_DIR, 'tmp')
  const names = {
    killed: `upload-${host}-99999999-${id}`,
    before: `upload-${host}-${process.pid}-${id}`,
    running: `upload-${host}-${process.ppid}-${id}`,
    elsewhere: `upload-elsewhere-1-${id}`,
    old: `upload-elsewhere-2-${id}`,
    other: 'notes.txt',
  }
  for (const name of Object.values(names)) writeFileSync(join(dir, name), 'x')
  utimesSync(join(dir, names.old), 0, 0)
  await (await buildApp(watchdesk.deps)).close()
  expect(left().sort()).toEqual([names.running, names.elsewhere, names.other].sort())
})

test('a file of a server that is still ending when the next one starts goes as soon as it has ended', async () => {
  const ending = spawn('sleep', ['100'])
  const ended = once(ending, 'exit')
  const name = `upload-${encodeURIComponent(hostname())}-${ending.pid}-00000000-0000-4000-8000-000000000001`
  const dir = join(watchdesk.deps.env.DATA_DIR, 'tmp')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, name), 'x')
  const task = scheduledTasks(watchdesk.deps).find(({ name }) => name === 'clear uploads')
  await (await buildApp(watchdesk.deps)).close()
  await task?.run()
  expect(left()).toContain(name)
  ending.kill('SIGKILL')
  await ended
  await task?.run()
  expect(left()).not.toContain(name)
})
