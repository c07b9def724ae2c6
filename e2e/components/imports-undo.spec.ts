import { getImport, previewUndo, type UndoPreview, undoImport } from '@watchdesk/contract/imports'
import { listSources } from '@watchdesk/contract/sources'
import { expectAccessible } from '../accessible.ts'
import { anImport, aPreview, button, dialog, result, toast } from '../imports-page.ts'
import { expect, test } from './test.ts'

const ME = { id: 7, name: 'Olena Kovalenko' }
const IMPORT = anImport({ counts: { requested: 3 }, can_undo: true })
const UNDO = anImport({ id: 8, kind: 'undo', undoes: IMPORT, summary: 'Removed 2 sources and left 1 source alone' })
const undone = { import_id: 8, at: '2026-11-17T02:00:00.000Z', by: ME, left_count: 1 }

test('sources that changed since are listed, and left alone', async ({ page, backend, open }) => {
  const changed: UndoPreview['changed'] = [
    {
      id: 5,
      name: 'https://t.me/channel_1',
      what: 'edited',
      current: 'PL',
      earlier: null,
      changes: {},
      problem: null,
      effect: 'sources_removed',
      at: new Date().toISOString(),
      by: ME,
    },
  ]
  backend.answer(getImport, IMPORT)
  backend.answer(previewUndo, { ...aPreview({ sources_removed: 2 }), changed_count: 1, changed })
  backend.answer(undoImport, () => {
    backend.answer(getImport, { ...IMPORT, can_undo: false, undone })
    return UNDO
  })
  await open('/imports/7')
  await button(page, 'Undo import').click()
  await expect(dialog(page)).toContainText('Removes 2 sources.')
  await expect(dialog(page)).toContainText('1 source changed since. It is left alone unless you choose it.')
  const box = dialog(page).getByRole('checkbox', { name: 'https://t.me/channel_1' })
  await expect(box).not.toBeChecked()
  await expect(box).toHaveAccessibleDescription(/Changed by Olena Kovalenko, just now.*Poland → removed/)
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(toast(page)).toContainText('Removed 2 sources and left 1 source alone.')
  expect(backend.calls(undoImport).map(({ body }) => body)).toEqual([{ changed: 'leave' }])
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
  backend.answer(getImport, IMPORT)
  backend.answer(previewUndo, aPreview({ sources_removed: 3 }))
  backend.refuse(undoImport, 409, 'It is already undone.')
  await open('/imports/7')
  await button(page, 'Undo import').click()
  await expect(dialog(page)).toContainText('Removes 3 sources.')
  backend.answer(getImport, { ...IMPORT, can_undo: false, undone })
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('It is already undone.')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('main')).toContainText('Undone')
  await expect(button(page, 'Undo import')).toHaveCount(0)
})
