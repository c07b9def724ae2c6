import * as contract from '@watchdesk/contract/stories-import'
import * as schemas from '@watchdesk/contract/stories-import.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { withUpload } from '../../plugins/upload.ts'
import { storiesImportStore } from './store.ts'

export function storiesImportRoutes(app: App, { db, rights, verify }: Deps) {
  const stories = storiesImportStore({ db, rights, verify })

  addRoutes(app, contract, schemas, {
    countStories: ({ query }) => stories.count(query.narrative_ids ?? []),
    importStories: (request) =>
      withUpload(request, (upload) => {
        const deleteExisting = upload.fields.delete_existing_stories === 'true'
        return stories.create(request.actor, upload, deleteExisting, request.headers['idempotency-key'])
      }),
  })
}
