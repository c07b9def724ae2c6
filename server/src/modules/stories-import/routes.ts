import { countStories, importStories } from '@watchdesk/contract/stories-import'
import type { App, Deps } from '../../deps.ts'
import { withUpload } from '../../plugins/upload.ts'
import { storiesImportStore } from './store.ts'

export function storiesImportRoutes(app: App, { db, rights }: Deps) {
  const stories = storiesImportStore(db, rights)

  app.route({
    ...countStories,
    handler: ({ query }) => stories.count(query.narrative_ids ?? []),
  })

  app.route({
    ...importStories,
    handler: (request) =>
      withUpload(request, (upload) => {
        const deleteExisting = upload.fields.delete_existing_stories === 'true'
        return stories.create(request.actor, upload, deleteExisting, request.headers['idempotency-key'])
      }),
  })
}
