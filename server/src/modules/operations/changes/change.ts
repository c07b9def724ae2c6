import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { BulkChanged, BulkRecordsQuery } from '@watchdesk/contract/operations/changes'
import * as contract from '@watchdesk/contract/operations/changes'
import * as schemas from '@watchdesk/contract/operations/changes.schema'
import type { FastifyRequest } from 'fastify'
import { type Actor, requireRecentSignIn } from '../../../actor.ts'
import { audit, changesBetween } from '../../../db/audit.ts'
import { longReads } from '../../../db/long-read.ts'
import type { Trx } from '../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import type { Env } from '../../../env.ts'
import { createJob } from '../../../jobs/create.ts'
import type { RowsInput } from '../../../jobs/kind.ts'
import { type App, withSchemas } from '../../../plugins/contract.ts'
import { conflict } from '../../../problem.ts'
import type { OperationKind } from '../kind.ts'
import { manyRowsJob, type Run, writeOnce } from '../many-rows.ts'
import { beginOperation, endOperation } from '../record.ts'
import { carryOut, outcomesOf, saveOutcomes } from './carry-out.ts'
import { type Counted, choose, planOf } from './evaluate.ts'
import { type BulkAction, type BulkBody, type BulkKind, changesRecords, number, wordsOf } from './kind.ts'
import { previewChange, previewRecords } from './preview.ts'
import { bulkUndo } from './undo.ts'

/** What the caller saw in the preview. */
type Expected = { expected_count: number; expected_changed_count: number; expected_checksum?: string | undefined }

type BulkRequest = { body: BulkBody; expected: Expected }

type Input = RowsInput & { change: BulkRequest }

/** Changes of many records of one kind, with their calls, their job and their undo. */
export function changeOfMany(kind: BulkKind): OperationKind {
  return {
    undo: bulkUndo(kind),
    leavesRecords: Object.keys(kind.actions).filter((action) => !changesRecords(action as BulkAction)),
    job: ({ env }) =>
      manyRowsJob<Input>({ name: nameOf(kind) }, (trx, actor, { change }, run) =>
        changeNow(trx, actor, kind, change, env, run),
      ),
    routes: (app, deps) => changeRoutes(app, deps, kind),
  }
}

const api = withSchemas(contract, schemas)

type Calls = Record<'preview' | 'list' | 'change', Endpoint & { schema: EndpointSchema }>

const CALLS: Record<BulkKind['entities']['many'], Calls> = {
  users: { preview: api.previewUsersChange, list: api.listUsersChange, change: api.changeUsers },
  workspaces: { preview: api.previewWorkspacesChange, list: api.listWorkspacesChange, change: api.changeWorkspaces },
  dashboards: { preview: api.previewDashboardsChange, list: api.listDashboardsChange, change: api.changeDashboards },
}

function changeRoutes(app: App, deps: Deps, kind: BulkKind) {
  const { preview, list, change } = CALLS[kind.entities.many]
  const reading = longReads(deps)

  app.route({
    ...preview,
    handler: ({ actor, body }) =>
      reading(actor, async (db) => (await previewChange(db, actor, kind, body as BulkBody)).preview),
  })
  app.route({
    ...list,
    handler: ({ actor, body }) =>
      reading(actor, (db) => previewRecords(db, actor, kind, body as BulkBody & BulkRecordsQuery)),
  })
  app.route({
    ...change,
    handler: (request) => {
      const { expected_count, expected_changed_count, expected_checksum, ...body } = request.body as BulkBody & Expected
      const expected = { expected_count, expected_changed_count, expected_checksum }
      return request.slot.run(() => changeMany(deps, request, kind, { body, expected }))
    },
  })
}

/** Changes many records in one transaction: that of the call, or of a job if they are very many. */
function changeMany(deps: Deps, request: FastifyRequest, kind: BulkKind, change: BulkRequest): Promise<BulkChanged> {
  const { actor } = request
  const { body } = change
  return writeOnce(deps, request, async (trx, run) => {
    // Before they are locked: another number may be very many.
    const { counted, others } = await previewChange(trx, actor, kind, body)
    checkCounts(kind, change, counted)
    const { changed_count, refused_count, changed_fields, needsRecentSignIn } = counted
    if (changed_count === 0) return { ...NOTHING, refused_count }
    if (changed_count + others <= ROWS_IN_A_CALL) return changeNow(trx, actor, kind, change, deps.env, run)
    if (needsRecentSignIn) requireRecentSignIn(actor)
    const name = await wordsOf(trx, kind, ofFields(kind, body, changed_fields), changed_count, false)
    const made = await createJob<Input>(trx, actor, nameOf(kind), {
      operation: { details: { ...detailsOf(body), summary: name } },
      input: { name, rows_count: changed_count, change },
    })
    return { changed_count, refused_count, ...made }
  })
}

async function changeNow(trx: Trx, actor: Actor, kind: BulkKind, change: BulkRequest, env: Env, run: Run) {
  const { existing_id, locksFirst, progress } = run
  const { body } = change
  const { action } = body
  const counted = await choose(trx, actor, kind, await planOf(trx, actor, kind, body), locksFirst)
  checkCounts(kind, change, counted)
  if (existing_id === undefined && counted.needsRecentSignIn) requireRecentSignIn(actor)
  const { changed_count, refused_count } = counted
  if (changed_count === 0 && existing_id === undefined) return { ...NOTHING, refused_count }

  const changing = ofFields(kind, body, counted.changed_fields)
  const import_id = await beginOperation(trx, actor, { kind: nameOf(kind), details: detailsOf(body) }, existing_id)
  const event_id = await audit(trx, actor, {
    action,
    entity: kind.entities.many,
    entity_id: import_id,
    changes: changesBetween({}, { changed_count, ...('set' in changing && changing.set) }),
  })
  await carryOut(trx, actor, kind, { env, action, operation_id: import_id, event_id, counted, progress })
  await endOperation(trx, import_id, {
    counts: outcomesOf(counted),
    rows_id: await saveOutcomes(trx, kind, action, counted),
    details: { summary: await wordsOf(trx, kind, changing, changed_count, true) },
  })
  return { changed_count, refused_count, import_id, job_id: null }
}

function nameOf({ entities: { many } }: BulkKind) {
  return `${many}_change` as const
}

const NOTHING: BulkChanged = { changed_count: 0, refused_count: 0, import_id: null, job_id: null }

function detailsOf({ ids, ...body }: BulkBody) {
  return { ...body, ...(ids && { ids: ids.length }) }
}

/** What is set of the fields that change in any record: the others had their values already, or are refused. */
function ofFields({ fieldOf }: BulkKind, body: BulkBody, fields: string[]): BulkBody {
  if (!('set' in body)) return body
  const isChanged = ([name]: [string, unknown]) => fields.includes(fieldOf?.[name] ?? name)
  return { ...body, set: Object.fromEntries(Object.entries(body.set ?? {}).filter(isChanged)) }
}

/** Throws if the caller saw other numbers. People sign in and out all the time, so those are not compared. */
function checkCounts({ entities: { one, many } }: BulkKind, { body, expected }: BulkRequest, counted: Counted) {
  const { count, changed_count, checksum } = counted
  const { expected_count, expected_changed_count, expected_checksum = checksum } = expected
  const isOther = (now: string, was: number) =>
    conflict(`${now} now instead of ${was.toLocaleString('en')}. Check what will change and try again.`)
  if (count !== expected_count) throw isOther(number(count, `${one} matches`, `${many} match`), expected_count)
  if (!changesRecords(body.action)) return
  if (changed_count !== expected_changed_count)
    throw isOther(`${number(changed_count, one, many)} would change`, expected_changed_count)
  if (checksum !== expected_checksum)
    throw conflict('What would change is no longer what the preview showed. Check what will change and try again.')
}
