import {
  getOperation,
  listOperations,
  previewUndo,
  type UndoPreview,
  undoOperation,
} from '@watchdesk/contract/operations/operations'
import { listSources } from '@watchdesk/contract/sources'
import { expectAccessible } from '../accessible.ts'
import { anImport, aPreview, button, dialog, result, toast } from '../imports-page.ts'
import { answerList, expect, test } from './test.ts'

const ME = { id: 7, name: 'Olena Kovalenko' }
const IMPORT = anImport({ counts: { requested: 3 }, can_undo: true })
const UNDO = anImport({ id: 8, kind: 'undo', undoes: IMPORT, summary: 'Removed 2 sources and left 1 source alone' })
const undone = { import_id: 8, at: '2026-11-17T02:00:00.000Z', by: ME, left_count: 1 }

test('sources that changed since are listed, and left alone unless they are chosen, one by one or all', async ({
  page,
  backend,
  open,
}) => {
  const changed = [1, 2].map((id): UndoPreview['changed'][number] => ({
    id,
    name: `https://t.me/channel_${id}`,
    what: 'edited',
    current: 'PL',
    earlier: null,
    changes: {},
    problem: null,
    effect: 'sources_removed',
    at: new Date().toISOString(),
    by: ME,
  }))
  backend.answer(getOperation, IMPORT)
  backend.answer(previewUndo, { ...aPreview({ sources_removed: 1 }), changed_count: 2, changed })
  backend.answer(undoOperation, () => {
    backend.answer(getOperation, { ...IMPORT, can_undo: false, undone })
    return UNDO
  })
  await open('/imports/7')
  await button(page, 'Undo import').click()
  await expect(dialog(page)).toContainText('Removes 1 source.')
  await expect(dialog(page)).toContainText('2 sources changed since. They are left alone unless you choose them.')
  const box = dialog(page).getByRole('checkbox', { name: 'https://t.me/channel_1' })
  const other = dialog(page).getByRole('checkbox', { name: 'https://t.me/channel_2' })
  const all = dialog(page).getByRole('checkbox', { name: 'Remove all 2 too' })
  await expect(box).not.toBeChecked()
  await expect(box).toHaveAccessibleDescription(/Changed by Olena Kovalenko, just now.*Poland → removed/)
  await expectAccessible(page)
  await all.check()
  await expect(dialog(page)).toContainText('Removes 3 sources.')
  await expect(box).toBeChecked()
  await other.uncheck()
  await expect(all).not.toBeChecked()
  await expect(dialog(page)).toContainText('Removes 2 sources.')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(toast(page)).toContainText('Removed 2 sources and left 1 source alone.')
  expect(backend.calls(undoOperation).map(({ body }) => body)).toEqual([{ changed: [1] }])
  await expect(result(page)).toContainText(/Undone by Olena Kovalenko on .*\d{4}.*\. 1 row was left alone\./)
  await result(page).getByRole('link', { name: 'Show its sources' }).click()
  await expect(page).toHaveURL('/sources?import_id=7')
  await expect.poll(() => backend.calls(listSources).at(-1)?.query.import_id).toBe('7')
})

test('an import that somebody else has undone says so, and nothing can be undone twice', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(getOperation, IMPORT)
  backend.answer(previewUndo, aPreview({ sources_removed: 3 }))
  backend.refuse(undoOperation, 409, 'It is already undone.')
  await open('/imports/7')
  await button(page, 'Undo import').click()
  await expect(dialog(page)).toContainText('Removes 3 sources.')
  backend.answer(getOperation, { ...IMPORT, can_undo: false, undone })
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('It is already undone.')
  expect(backend.calls(undoOperation).map(({ body }) => body)).toEqual([{ changed: 'leave' }])
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('main')).toContainText('Undone')
  await expect(button(page, 'Undo import')).toHaveCount(0)
})

test('the page of a change of many records, and of its undo and redo, says what it undid and leads to its events', async ({
  page,
  backend,
  open,
}) => {
  const change = anImport({ kind: 'users_change', origin_kind: 'users_change', name: null, can_undo: true })
  const undo = anImport({ ...change, id: 8, kind: 'undo', undoes: change })
  const redo = anImport({ ...undo, id: 11, undoes: undo, is_redo: true })
  const deleted = anImport({ id: 10, kind: 'dashboards_change', origin_kind: 'dashboards_change', can_undo: true })
  answerList(backend, listOperations, [change, undo, redo, deleted], getOperation)
  for (const [id, entity, says] of [
    [7, 'users', 'Undo change'],
    [8, 'users', 'It undid the bulk change of users.'],
    [10, 'dashboards', 'Undo change'],
    [11, 'users', 'It took back an undo.'],
  ] as const) {
    await open(`/imports/${id}`)
    await expect(page.getByRole('main')).toContainText(says)
    const events = page.getByRole('link', { name: 'Show in Activity' })
    await expect(events).toHaveAttribute('href', `/activity?entity=${entity}&entity_id=${id}`)
  }
})
