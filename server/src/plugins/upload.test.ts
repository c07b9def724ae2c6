import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { importStories } from '@watchdesk/contract/stories-import'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../app.ts'
import type { App } from '../deps.ts'
import { formOf, multipart } from '../testing/form.ts'
import { sendRaw } from '../testing/raw.ts'
import { useWatchdesk } from '../testing/watchdesk.ts'
import { workbookOf } from '../testing/workbook.ts'
import { type Upload, withUpload } from './upload.ts'

const LIMIT = 2_000_000
const watchdesk = useWatchdesk({ UPLOAD_LIMIT_BYTES: String(LIMIT) })

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
    schema: { ...importStories.schema, response: { 200: Echo } },
    handler: (request) =>
      withUpload(request, async ({ path, sha256, ...upload }: Upload) => {
        const { statSync } = await import('node:fs')
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
  const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, {
    method: 'POST',
    headers: { authorization: authorization() },
    body: form,
  })
  return { status: answer.status, body: (await answer.json()) as { detail: unknown } & Upload }
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
