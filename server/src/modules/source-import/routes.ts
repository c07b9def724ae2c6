import { type RowRange, readRowRanges } from '@watchdesk/contract/row-ranges'
import * as contract from '@watchdesk/contract/source-import'
import * as schemas from '@watchdesk/contract/source-import.schema'
import { NOTHING_TO_IMPORT } from '@watchdesk/contract/source-row'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../actor.ts'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { type Call, earlierResponse, once } from '../../db/idempotency.ts'
import { writable } from '../../db/writable.ts'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes, withSchemas, type ZodTypeProvider } from '../../plugins/contract.ts'
import { fieldErrors, validated } from '../../plugins/errors.ts'
import { acceptJsonAsStream, withBody, withTemporaryFile } from '../../plugins/receive.ts'
import { forbidden, Problem } from '../../problem.ts'
import { type NewOperation, recordFailure } from '../operations/record.ts'
import { verified } from '../operations/verify.ts'
import type { Summary } from './check-import.ts'
import { checkSheet, checkSpooled, spoolSheet } from './spool.ts'
import { sourceImportStore } from './store.ts'

const { importSources } = withSchemas(contract, schemas)

/** The description of the file of an import is kept like a response, for as long as the import can be repeated. */
function descriptionOf(key: string | undefined): Call {
  return { name: 'POST /api/v1/source_import/file', key, request: '' }
}

type Given = Pick<NewOperation, 'name' | 'bytes' | 'sheet_url' | 'details'>

type Body = { path: string; numbers: RowRange[] | undefined }

export function sourceImportRoutes(app: App, { db, rights, env, sheets, verify }: Deps) {
  const sources = sourceImportStore({ rights, sheets, verify })

  addRoutes(app, contract, schemas, {
    serviceAccount: async () => ({ email: sheets.serviceAccount }),
    async describeFile({ actor, body }) {
      await rights.write(actor, (trx) => once(trx, actor, descriptionOf(body.key), async () => body))
    },
  })
  app.register(async (scope) => {
    acceptJsonAsStream(scope)
    scope.withTypeProvider<ZodTypeProvider>().route({
      ...importSources,
      config: { ...importSources.config, is_streamed: true },
      bodyLimit: env.IMPORT_BODY_LIMIT_BYTES,
      handler: (request) =>
        withBody(request, async ({ path, sha256 }) => {
          const key = request.headers['idempotency-key']
          const call: Call = { name: 'POST /api/v1/source_import/sources', key, request: sha256 }
          const file = await earlierResponse<contract.SourceFile>(db, request.actor, descriptionOf(key))
          const details = { skipped_count: file?.skipped_count }
          const given: Given = { name: file && writable(file.name), bytes: file?.bytes, details }
          const numbers = file?.rows === undefined ? undefined : readRowRanges(file.rows)
          return importFrom(request, { path, numbers }, given, call).catch((error) =>
            nothingImported(request.actor, given, error),
          )
        }),
    })
  })

  async function importFrom(request: FastifyRequest, sent: Body, given: Given, call: Call) {
    const { actor, slot } = request
    // A caller who has lost access in the meantime must get neither an earlier response nor an external sheet.
    await rights.check(actor)
    const earlier = await earlierResponse<contract.SourceImportResult>(db, actor, call)
    if (earlier) return verified(verify, earlier)
    const pieces = checkSpooled({ ...sent, kind: 'body' })
    const check = (summary: Summary) => checkBody(summary, actor.email)
    try {
      return await slot.run(() => sources.create(actor, { pieces, check }, given, call))
    } catch (error) {
      if (!(error instanceof SheetInstead)) throw error
      given.sheet_url = error.message
    }
    return withTemporaryFile(request, async (path) => {
      checkSheet(await spoolSheet(sheets, given.sheet_url ?? '', path))
      return slot.run(() => sources.create(actor, { pieces: checkSpooled({ path, kind: 'rows' }) }, given, call))
    })
  }

  /** Errors that the user can fix are part of the response and of the list of imports; all others fail the call. */
  async function nothingImported(actor: Actor, given: Given, error: unknown): Promise<contract.SourceImportResult> {
    if (!(error instanceof SheetError)) throw error
    await recordFailure(rights, actor, { kind: 'source_import', ...given, error: error.message })
    return { error_message: error.message, requested_count: 0, inputs_count: 0, created_sheet_url: null }
  }
}

/** The body has the address of a sheet instead of records, which is the message. */
class SheetInstead extends Error {}

function checkBody({ rows, hasUrl, body, fault, refusal }: Summary, email: string) {
  if (refusal) throw new Problem(refusal.status, refusal.detail)
  if (fault) throw new Problem(422, fieldErrors('body', [{ code: 'custom', input: undefined, ...fault }]))
  const { email: given, sheet_url } = validated(schemas.SourceImport, body)
  if (given.toLowerCase() !== email.toLowerCase()) throw forbidden('The email of an import must be your own.')
  if (sheet_url !== null) throw new SheetInstead(sheet_url)
  if (rows === 0) throw new SheetError(NOTHING_TO_IMPORT.file.no_rows)
  if (!hasUrl) throw new SheetError(NOTHING_TO_IMPORT.file.no_url_column)
}
