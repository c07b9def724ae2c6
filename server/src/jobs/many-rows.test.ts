import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getJob, untilJob } from '../../test/helpers/jobs.ts'
import { MANY, POLAND, REMOVE, useManySources } from '../../test/helpers/many-sources.ts'

const { watchdesk, made, start, undo, read, change, live, eventsOf } = useManySources()

test('undoing an import of many rows answers at once, and is done in the background', async () => {
  const key = randomUUID()
  const { status, body: queued } = await undo(made.id, 'leave', watchdesk.admin, key)
  expect([status, queued]).toEqual([
    200,
    expect.objectContaining({
      kind: 'undo',
      state: 'queued',
      job_id: expect.any(Number),
      undoes: { id: made.id, kind: 'source_import', name: `${made.name}.csv` },
      progress: { step: 'waiting', done: 0, total: null },
      can_undo: false,
    }),
  ])
  expect((await undo(made.id, 'leave', watchdesk.admin, key)).body.id).toBe(queued.id)
  expect(await read(made.id)).toMatchObject({
    undone: null,
    can_undo: false,
    undoing: { import_id: queued.id, is_redo: false },
  })
  const job_id = queued.job_id ?? 0
  expect(await getJob(watchdesk, job_id)).toMatchObject({ kind: 'undo', name: `${made.name}.csv`, bytes: null })
  expect(await live()).toEqual({ UA: MANY })

  await start()
  expect(await untilJob(watchdesk, job_id)).toMatchObject({ state: 'done', error: null, import_id: queued.id })
  expect(await live()).toEqual({})
  const counts = { 'sources removed': MANY }
  expect(await read(queued.id)).toMatchObject({ state: 'done', counts, can_undo: true, progress: null })
  const undone = { import_id: queued.id, by: { id: 1 } }
  expect(await read(made.id)).toMatchObject({ undone, can_undo: false, undoing: null })
  expect(await eventsOf(queued.id)).toEqual([
    {
      action: 'undo',
      entity: 'sources',
      actor_id: 1,
      has_ip: true,
      record_name: `${made.name}.csv`,
      changes: {
        import_id: { before: null, after: made.id },
        origin_kind: { before: null, after: 'source_import' },
        is_redo: { before: null, after: false },
        'sources removed': { before: null, after: MANY },
        left_alone: { before: null, after: 0 },
      },
    },
  ])
})

test('changing many sources answers at once, and is done in the background', async () => {
  const key = randomUUID()
  const { status, body } = await change(POLAND, watchdesk.admin, key)
  const { import_id, job_id } = body
  expect([status, body]).toEqual([200, { changed_count: MANY, import_id, job_id: expect.any(Number) }])
  expect((await change(POLAND, watchdesk.admin, key)).body).toEqual(body)
  expect((await change(REMOVE, watchdesk.admin, key)).status).toBe(422)
  const summary = `Set the country of ${MANY.toLocaleString('en')} sources to Poland`
  expect(await read(import_id ?? 0)).toMatchObject({ kind: 'sources_change', state: 'queued', summary })
  expect(await getJob(watchdesk, job_id ?? 0)).toMatchObject({ kind: 'sources_change', name: summary, bytes: null })
  expect(await live()).toEqual({ UA: MANY })

  await start()
  expect(await untilJob(watchdesk, job_id ?? 0)).toMatchObject({ state: 'done', error: null })
  expect(await live()).toEqual({ PL: MANY })
  expect(await read(import_id ?? 0)).toMatchObject({
    state: 'done',
    summary,
    counts: { changed: MANY },
    can_undo: true,
  })
  expect(await eventsOf(import_id)).toMatchObject([
    {
      action: 'update',
      actor_id: 1,
      has_ip: true,
      changes: { changed_count: { before: null, after: MANY }, country: { before: null, after: 'PL' } },
    },
  ])
  expect((await change(POLAND)).body).toEqual({ changed_count: 0, import_id: null, job_id: null })
})
