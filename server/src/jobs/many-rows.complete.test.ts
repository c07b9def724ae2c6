import type { UndoPreview } from '@watchdesk/contract/operations/operations'
import { describe, expect, test } from 'vitest'
import { getJob, untilJob } from '../../test/helpers/jobs.ts'
import { waitForLocks } from '../../test/helpers/locks.ts'
import { MANY, POLAND, REMOVE, useManySources } from '../../test/helpers/many-sources.ts'
import { insertUser, openSession } from '../../test/helpers/people.ts'

const IN_BACKGROUND = 'It is already being undone in the background. Wait until that has ended, or cancel it.'

const { watchdesk, made, start, stop, undo, read, change, live, eventsOf, hold, cancel } = useManySources()

describe('undoing an import of many rows', () => {
  test('is undone in the background, too', async () => {
    await start()
    const { body: undone } = await undo(made.id)
    await untilJob(watchdesk, undone.job_id ?? 0)
    const { body: redo } = await undo(undone.id)
    expect(redo).toMatchObject({ is_redo: true, undoes: { id: undone.id } })
    expect(await untilJob(watchdesk, redo.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await live()).toEqual({ UA: MANY })
    expect(await read(made.id)).toMatchObject({ undone: null, can_undo: false })
    expect(await read(redo.id)).toMatchObject({ is_redo: true, can_undo: false })
    expect(await eventsOf(redo.id)).toMatchObject([
      { changes: { origin_kind: { after: 'source_import' }, is_redo: { after: true } } },
    ])
  })

  test('is refused while another undo of it waits or runs, without waiting for that', async () => {
    const { body: queued } = await undo(made.id)
    const problem = async () =>
      (await watchdesk.admin<UndoPreview>('GET', `/api/v1/imports/${made.id}/undo`)).body.problem
    const refused = { status: 409, body: { detail: IN_BACKGROUND } }
    expect(await undo(made.id)).toMatchObject(refused)
    expect(await problem()).toBe(IN_BACKGROUND)
    const release = await hold()
    await start()
    await waitForLocks(watchdesk.database.pool)
    expect(await undo(made.id, 'all')).toMatchObject(refused)
    expect(await undo(queued.id)).toMatchObject({ status: 409 })
    expect(await problem()).toBe(IN_BACKGROUND)
    await release()
    expect(await untilJob(watchdesk, queued.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await undo(made.id)).toMatchObject({ status: 409, body: { detail: 'It is already undone.' } })
  })

  test('shows on the import and on its undo that it is under way', async () => {
    await start()
    const { body: first } = await undo(made.id)
    await untilJob(watchdesk, first.job_id ?? 0)
    await stop()
    const { body: redo } = await undo(first.id)
    const undoing = { import_id: redo.id }
    expect((await read(first.id)).undoing).toEqual({ ...undoing, is_redo: false })
    expect((await read(made.id)).undoing).toEqual({ ...undoing, is_redo: true })
    expect((await read(redo.id)).undoing).toBeNull()
    await cancel(redo.job_id)
    expect(await read(first.id)).toMatchObject({ undoing: null, can_undo: true })
    expect(await read(made.id)).toMatchObject({ undoing: null, undone: { import_id: first.id } })
  })

  test('leaves it as it was if it is cancelled, waiting or running, and it can be undone again', async () => {
    const { body: waiting } = await undo(made.id)
    await cancel(waiting.job_id)
    expect(await read(waiting.id)).toMatchObject({ state: 'cancelled', undoes: { id: made.id }, can_undo: false })
    expect(await eventsOf(waiting.id)).toMatchObject([
      { action: 'cancel', entity: 'sources', changes: { undo: { before: null, after: `${made.name}.csv` } } },
    ])

    const release = await hold()
    await start()
    const { body: running } = await undo(made.id)
    await waitForLocks(watchdesk.database.pool)
    await cancel(running.job_id)
    // It ends although its statement could not go on.
    expect(await untilJob(watchdesk, running.job_id ?? 0)).toMatchObject({ state: 'cancelled' })
    await release()
    expect(await live()).toEqual({ UA: MANY })
    expect(await read(made.id)).toMatchObject({ undone: null, undoing: null, can_undo: true })

    const { body: again } = await undo(made.id)
    expect(await untilJob(watchdesk, again.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect((await read(made.id)).undone).toMatchObject({ import_id: again.id })
    expect(await live()).toEqual({})
  })

  test('fails with the reason of the call, and it can be undone again', async () => {
    await watchdesk.database.pool.query('update sources set version = 2, content_version = 2')
    await start()
    const { body: queued } = await undo(made.id)
    const error = 'All of its rows changed since or no longer exist, so nothing was undone.'
    expect(await untilJob(watchdesk, queued.job_id ?? 0)).toMatchObject({ state: 'failed', error })
    expect(await read(queued.id)).toMatchObject({ state: 'failed', error, counts: {} })
    const { body: again } = await undo(made.id, 'all')
    expect(await untilJob(watchdesk, again.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await live()).toEqual({})
  })

  test('is not made a job if it is small enough', async () => {
    await watchdesk.database.pool.query('delete from sources where url = $1', [`https://t.me/${made.name}_1`])
    expect((await undo(made.id)).body).toMatchObject({ state: 'done', job_id: null })
  })
})

describe('changing many sources', () => {
  test('is undone in the background, too', async () => {
    await start()
    const { body } = await change(POLAND)
    await untilJob(watchdesk, body.job_id ?? 0)
    const { body: undone } = await undo(body.import_id ?? 0)
    const summary = `Set the country of ${MANY.toLocaleString('en')} sources to Poland`
    expect(await getJob(watchdesk, undone.job_id ?? 0)).toMatchObject({ kind: 'undo', name: summary })
    expect(await untilJob(watchdesk, undone.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await live()).toEqual({ UA: MANY })
  })

  test('is refused at once if another number matches, and there is no job', async () => {
    const { status, body } = await change({ ...REMOVE, expected_count: MANY + 1 })
    const detail = '20,001 sources match now instead of 20,002. Check the list and try again.'
    expect([status, body]).toEqual([409, { detail }])
    const { rows } = await watchdesk.database.pool.query(`select from jobs where state = 'queued'`)
    expect(rows).toEqual([])
  })

  test('fails with the same reason if another number matches when it starts, and nothing is changed', async () => {
    const { body } = await change(REMOVE)
    await watchdesk.database.pool.query('delete from sources where url = $1', [`https://t.me/${made.name}_1`])
    await start()
    expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
      state: 'failed',
      error: '20,000 sources match now instead of 20,001. Check the list and try again.',
    })
    expect(await live()).toEqual({ UA: MANY - 1 })
    expect(await read(body.import_id ?? 0)).toMatchObject({ state: 'failed', counts: {}, can_undo: false })
  })

  test('is done, with nothing changed, if another change did it first', async () => {
    const { body } = await change(POLAND)
    await watchdesk.database.pool.query(`update sources set country = 'PL', version = 2, content_version = 2`)
    await start()
    expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await read(body.import_id ?? 0)).toMatchObject({ state: 'done', counts: { changed: 0 }, can_undo: false })
    expect(await eventsOf(body.import_id)).toEqual([])
  })

  test('ends when it is cancelled while its statement waits', async () => {
    const release = await hold()
    const { body } = await change(REMOVE)
    await start()
    await waitForLocks(watchdesk.database.pool)
    await cancel(body.job_id)
    expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({ state: 'cancelled' })
    await release()
    expect(await live()).toEqual({ UA: MANY })
    expect(await eventsOf(body.import_id)).toMatchObject([
      { action: 'cancel', changes: { change: { after: `Remove ${MANY.toLocaleString('en')} sources` } } },
    ])
  })

  test('fails after three conflicts, and says so', async () => {
    const { pool } = watchdesk.database
    await pool.query(`create function conflict() returns trigger language plpgsql as
      $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`)
    await pool.query(
      'create trigger conflict before insert on operation_changes for each statement execute function conflict()',
    )
    try {
      const { body } = await change(REMOVE)
      await start()
      expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
        state: 'failed',
        error:
          'Someone else changed the same data at the same time. Try again. It was started 3 times, and nothing was saved.',
      })
    } finally {
      await pool.query('drop function conflict cascade')
    }
    expect(await live()).toEqual({ UA: MANY })
  })
})

test.each([
  ['an undo', (call: typeof watchdesk.admin) => undo(made.id, 'leave', call)],
  ['a change', (call: typeof watchdesk.admin) => change(REMOVE, call)],
])('%s whose owner loses the rights while it runs saves nothing', async (_, send) => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  const { body } = await send(await openSession(watchdesk, id))
  const release = await hold()
  await start()
  await waitForLocks(watchdesk.database.pool)
  await watchdesk.database.pool.query('update users set is_super_admin = false where id = $1', [id])
  await release()
  expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('is no longer a super admin'),
  })
  expect(await live()).toEqual({ UA: MANY })
  expect(await read(made.id)).toMatchObject({ can_undo: true, undoing: null })
})
