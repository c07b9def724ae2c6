import { expect, type Page } from '@playwright/test'
import type { Watchdesk } from './watchdesk.ts'
import { inline, workbook } from './workbooks.ts'

export const file = (page: Page) => page.locator('input[type=file]')
export const fileButton = (page: Page) => page.getByRole('button', { name: 'File', exact: true })
export const importButton = (page: Page) => page.getByRole('button', { name: 'Import stories' })
export const deleteBox = (page: Page) => page.getByRole('checkbox', { name: /^Delete existing stories/ })
/** The result of an import, one line per narrative. */
export const lines = (page: Page) => page.getByRole('listitem').filter({ hasText: 'imported into narrative' })
export const redText = (page: Page) => page.getByRole('main').getByRole('alert')

let narratives = 0

/** A narrative id that no other test of the worker uses. */
export function newNarrative() {
  narratives += 1
  // Process ids can exceed the maximum id.
  return (process.pid % 2_000_000) * 1_000 + narratives
}

/** What an import did to a narrative. */
export function summary(narrative_id: number, imported_stories_count = 2, deleted_stories_count = 0) {
  return { narrative_id, imported_stories_count, repeated_stories_count: 0, deleted_stories_count }
}

export type Row = [narrative: number | string, message: string, story: string, sentiment?: number | string]

export function storiesFile(rows: Row[], name = 'stories.csv') {
  const text = ['narrative_id,message_composite_id,story,sentiment_score', ...rows.map((row) => row.join(','))]
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${text.join('\n')}\n`) }
}

export function storiesWorkbook(rows: Row[]) {
  const header = ['narrative_id', 'message_composite_id', 'story', 'sentiment_score']
  const lines = [header, ...rows].map((cells) => `<row>${inline(...cells.map(String))}</row>`)
  return { name: 'stories.xlsx', mimeType: 'application/octet-stream', buffer: workbook({ rows: lines.join('') }) }
}

/** Rows of one narrative with unique texts. */
export function rowsOf(narrative: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => [
    narrative,
    `TELEGRAM:POST:${index}`,
    `Story ${index} of bread`,
    index % 2 === 0 ? 0.5 : '',
  ])
}

/** Throttles uploads so that they can be observed, until `end` is called. */
export async function slowUploads(page: Page, bytesPerSecond: number) {
  const session = await page.context().newCDPSession(page)
  const limit = async (uploadThroughput: number) => {
    const rest = { offline: false, latency: 0, downloadThroughput: -1 }
    await session.send('Network.emulateNetworkConditions', { ...rest, uploadThroughput })
  }
  await limit(bytesPerSecond)
  return {
    end: async () => {
      await limit(-1)
      await session.detach()
    },
  }
}

/** Stories in the database, created through the API, and vectorized on request. */
export async function seedStories(page: Page, { url, session }: Watchdesk, rows: Row[], vectorize = false) {
  const headers = { authorization: `Bearer ${await session.token()}` }
  const multipart = { file: storiesFile(rows) }
  const response = await page.request.post(`${url}/api/v1/stories-import/from-file`, { headers, multipart })
  expect(response.ok(), await response.text()).toBe(true)
  if (!vectorize) return
  const call = `${url}/api/v1/airflow/vectorize-narrative`
  const data = { narrative_id: Number(rows[0]?.[0]), platforms: [], content_types: [] }
  const { execution_date } = await (await page.request.post(call, { headers, data })).json()
  const status = async () => (await (await page.request.get(`${call}/${execution_date}`, { headers })).json()).status
  await expect.poll(status, { timeout: 30_000 }).toBe('success')
}
