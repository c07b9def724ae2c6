import type { Operation, UndoPreview } from '@watchdesk/contract/operations/operations'
import type { StoriesImportResult } from '@watchdesk/contract/stories-import'
import { expect, test } from 'vitest'
import { formOf } from '../../../test/helpers/form.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk({}, { isListening: true })

let last = 0
const narrative = () => ++last

async function importStories(rows: string[], delete_existing_stories = false) {
  const content = ['narrative_id,message_composite_id,story,sentiment_score', ...rows].join('\n')
  const response = await fetch(`${watchdesk.url}/api/v1/stories-import/from-file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${watchdesk.admin.token}` },
    body: formOf('stories.csv', content, { delete_existing_stories: String(delete_existing_stories) }),
  })
  return ((await response.json()) as StoriesImportResult).import_id as number
}

/** The live stories of a narrative: all that is stored of them, with their vectors. */
async function stories(narrative_id: number) {
  const { rows } = await watchdesk.database.pool.query(
    `select stories.id, message_composite_id, story, sentiment_score, digest, import_id,
      (select array_agg(vector) from story_vectors where story_id = stories.id) as vectors
    from stories where narrative_id = $1 and deleted_at is null order by id`,
    [narrative_id],
  )
  return rows
}
const texts = async (id: number) => (await stories(id)).map(({ story }) => story)
const exists = async (id: number) =>
  (await watchdesk.admin('GET', `/api/v1/narratives/${id}/similar?text=a`)).status !== 404

const preview = async (id: number) => (await watchdesk.admin<UndoPreview>('GET', `/api/v1/imports/${id}/undo`)).body
const undo = (id: number) => watchdesk.admin<Operation>('POST', `/api/v1/imports/${id}/undo`, { changed: 'leave' })

test('stories that were deleted by an import return with their vectors, exactly as they were', async () => {
  const id = narrative()
  await importStories([`${id},m,Old,0.5`, `${id},m,Kept,`])
  await watchdesk.database.pool.query(
    `insert into story_vectors (story_id, model, vector) select id, 'm', '{1,2}' from stories where narrative_id = $1`,
    [id],
  )
  const before = await stories(id)
  const imported = await importStories([`${id},m,Kept,0.9`, `${id},m,New,`], true)
  const after = await stories(id)
  expect(after.map(({ story, sentiment_score }) => [story, sentiment_score])).toEqual([
    ['Kept', 0.9],
    ['New', null],
  ])
  expect((await preview(imported)).effects).toMatchObject({ stories_removed: 2, stories_restored: 2 })
  const undone = await undo(imported)
  expect(undone.body.counts).toEqual({ 'stories removed': 2, 'stories restored': 2 })
  expect(await stories(id)).toEqual(before)
  const redone = await undo(undone.body.id)
  expect(await stories(id)).toEqual(after)
  expect([(await undo(redone.body.id)).status, (await undo(imported)).status]).toEqual([409, 409])
})

test('a narrative that the import created is gone after the undo, and returns with its stories', async () => {
  const [id, other] = [narrative(), narrative()]
  await importStories([`${other},m,Other,`])
  const imported = await importStories([`${id},m,One,`, `${other},m,Two,`])
  expect((await preview(imported)).effects).toMatchObject({ stories_removed: 2, narratives_removed: 1 })
  const undone = await undo(imported)
  expect([await exists(id), await exists(other)]).toEqual([false, true])
  expect(await texts(other)).toEqual(['Other'])
  await undo(undone.body.id)
  expect([await exists(id), await texts(id)]).toEqual([true, ['One']])
})

test('a narrative that is gone after an undo returns with the stories of another import', async () => {
  const id = narrative()
  await undo(await importStories([`${id},m,One,`]))
  expect(await exists(id)).toBe(false)
  await importStories([`${id},m,Again,`])
  expect([await exists(id), await texts(id)]).toEqual([true, ['Again']])
})

test('a deleted story whose text was imported again since stays deleted', async () => {
  const id = narrative()
  await importStories([`${id},m,One,`])
  const removing = await importStories([`${id},m,Two,`], true)
  await importStories([`${id},m,One,`])
  expect(await preview(removing)).toMatchObject({ effects: { stories_removed: 1, stories_restored: 0 }, gone_count: 1 })
  const undone = await undo(removing)
  expect(undone.body.counts).toEqual({ 'stories removed': 1, 'left alone': 1 })
  expect(await texts(id)).toEqual(['One'])
})

test('undoing two imports, the last one first, leads back to the start', async () => {
  const id = narrative()
  const first = await importStories([`${id},m,One,`])
  const second = await importStories([`${id},m,Two,`], true)
  await undo(second)
  expect(await texts(id)).toEqual(['One'])
  await undo(first)
  expect(await texts(id)).toEqual([])
})

test('invalid rows are kept with the failed import, and nothing else is', async () => {
  const id = narrative()
  await importStories([`${id},m,One,`, 'x,m,Two,', `${id},,Three,`])
  const { body } = await watchdesk.admin<{ objects: Operation[] }>('GET', '/api/v1/imports/?page_size=1')
  expect(body.objects[0]).toMatchObject({
    state: 'failed',
    name: 'stories.csv',
    counts: { invalid: 2 },
    can_undo: false,
  })
  const rows = await watchdesk.admin('GET', `/api/v1/imports/${body.objects[0]?.id}/rows?outcome=invalid`)
  expect(rows.body).toMatchObject({
    total: 2,
    rows: [
      { cells: ['3', 'x', 'm', 'Two', '', 'narrative_id must be a whole number', 'invalid'] },
      { cells: ['4', String(id), '', 'Three', '', 'message_composite_id is required', 'invalid'] },
    ],
  })
  expect(await exists(id)).toBe(false)
})

test('stories that were deleted for good in the meantime are counted as gone', async () => {
  const id = narrative()
  await importStories([`${id},m,Old,`, `${id},m,Older,`])
  const imported = await importStories([`${id},m,New,`], true)
  await watchdesk.database.pool.query(`delete from stories where narrative_id = $1 and story = 'Older'`, [id])
  expect(await preview(imported)).toMatchObject({
    effects: { stories_removed: 1, stories_restored: 1 },
    gone_count: 1,
  })
})
