import * as contract from '@watchdesk/contract/jobs'
import * as schemas from '@watchdesk/contract/jobs.schema'
import { type App, addRoutes } from '../plugins/contract.ts'
import { withUpload } from '../plugins/upload.ts'
import { requirePlace } from './create.ts'
import { jobsStore, type Parts } from './store.ts'

export function jobsRoutes(app: App, parts: Parts) {
  const { db, jobs } = parts
  const store = jobsStore(parts)

  for (const kind of jobs.kinds.values()) {
    if (!kind.upload) continue
    app.route({
      ...kind.upload.endpoint,
      async handler(request) {
        const { actor } = request
        // Nobody should have to upload a file first.
        await requirePlace(db, actor)
        const key = request.headers['idempotency-key']
        const job = await withUpload(request, (upload) => store.create(actor, kind, upload, key?.toString()))
        jobs.wake()
        return job
      },
    })
  }
  addRoutes(app, contract, schemas, {
    listJobs: async ({ actor }) => ({ jobs: await store.list(actor) }),
    getJob: ({ params }) => store.get(params.id),
    cancelJob: ({ actor, params }) => store.cancel(actor, params.id),
  })
}
