import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from '@watchdesk/contract/jobs'
import { FORM_TYPE, multipart } from './form.ts'
import type { Caller, Watchdesk } from './watchdesk.ts'

export const SOURCE_JOBS = '/api/v1/source_import/jobs'
export const STORIES_JOBS = '/api/v1/stories-import/jobs'
const PATIENCE_MS = 90_000

/** Uploads a file for a job. */
export function postJob(call: Caller, url: string, content: string | Buffer, fields: Record<string, string> = {}) {
  const { filename = 'file.csv', key, ...others } = fields
  const parts = [
    { name: 'file', filename, content },
    ...Object.entries(others).map(([name, value]) => ({ name, content: value })),
  ]
  const headers = { 'content-type': FORM_TYPE, ...(key && { 'idempotency-key': key }) }
  return call<Job>('POST', url, multipart(parts), headers)
}

/** A source file with new addresses. */
export function sourceCsv(count: number, name: string) {
  const rows = Array.from({ length: count }, (_, row) => `https://t.me/${name}_${row},UA`)
  return ['source_url,source_country', ...rows].join('\n')
}

export async function getJob({ admin }: Pick<Watchdesk, 'admin'>, id: number) {
  return (await admin<Job>('GET', `/api/v1/jobs/${id}`)).body
}

/** Jobs run in the background, on any server of the database, so this polls until it is as wanted. */
export async function untilJob(
  watchdesk: Pick<Watchdesk, 'admin'>,
  id: number,
  isWanted = ({ state }: Job) => state !== 'queued' && state !== 'running',
) {
  const started = Date.now()
  for (;;) {
    const job = await getJob(watchdesk, id)
    if (isWanted(job)) return job
    // Before the test times out, which would not say what the job does.
    if (Date.now() - started > PATIENCE_MS) throw new Error(`The job is still ${JSON.stringify(job)}`)
    await wait(10)
  }
}
