import { longReads } from '../../../db/long-read.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../plugins/contract.ts'
import { changeMany } from './change.ts'
import { planOf } from './judge.ts'
import type { BulkBody, BulkKind, BulkRecordsBody, BulkRequestBody } from './kind.ts'
import { previewChange, previewRecords } from './preview.ts'

export function changeRoutes(app: App, deps: Deps, kind: BulkKind) {
  const { preview, list, change } = kind.endpoints
  const reading = longReads(deps)

  app.route({
    ...preview,
    handler: ({ actor, body }) =>
      reading(actor, async (db) => {
        const plan = await planOf(db, actor, kind, body as BulkBody)
        return (await previewChange(db, actor, kind, plan)).preview
      }),
  })
  app.route({
    ...list,
    handler: ({ actor, body }) => reading(actor, (db) => previewRecords(db, actor, kind, body as BulkRecordsBody)),
  })
  app.route({
    ...change,
    handler: ({ actor, body, headers, slot }) => {
      const { expected_count, expected_changed_count, expected_checksum, ...wanted } = body as BulkRequestBody
      const expected = { expected_count, expected_changed_count, expected_checksum }
      const key = headers['idempotency-key']?.toString()
      return changeMany(deps, actor, kind, { body: wanted, expected, key, inSlot: slot.run })
    },
  })
}
