import type { Page } from '@playwright/test'
import type { Job } from '@watchdesk/contract/jobs'
import { csvFile } from './source-import-page.ts'
import { expect } from './test.ts'

/** A machine that runs several browsers takes long for a hundred thousand rows. */
export const LONG = { timeout: 180_000 }

export const jobCard = (page: Page, name: string) => page.getByRole('region', { name: `Import of ${name}.csv` })

export function sourcesFile(count: number, name: string) {
  const rows = Array.from({ length: count }, (_, row) => `https://t.me/${name}_${row},UA`)
  return csvFile(['source_url,source_country', ...rows].join('\n'), `${name}.csv`)
}

/** Creates a job without the page. */
export async function postJob(page: Page, file: ReturnType<typeof csvFile>) {
  const token = await page.evaluate(() => localStorage.getItem('access_token'))
  const headers = { authorization: `Bearer ${token}` }
  const response = await page.request.post('/api/v1/source_import/jobs', { headers, multipart: { file } })
  expect(response.status()).toBe(202)
  const { id } = await response.json()
  return { cancel: () => page.request.post(`/api/v1/jobs/${id}/cancel`, { headers }) }
}

/** A job that runs, as the server sends it. */
export function aJob(fields: Partial<Job> = {}): Job {
  return {
    id: 3,
    kind: 'source_import',
    state: 'running',
    name: 'large.csv',
    bytes: 20_480_000,
    import_id: 7,
    is_cancelled: false,
    progress: { step: 'checking', done: 25_000, total: 100_000 },
    error: null,
    sources: null,
    stories: null,
    created_by: { id: 7, name: 'Olena Kovalenko' },
    created_at: '2026-11-17T01:00:00.000Z',
    started_at: '2026-11-17T01:00:00.000Z',
    finished_at: null,
    ...fields,
  }
}
