import type { Locator, Page } from '@playwright/test'
import { deleteDashboard, listDashboards } from '@watchdesk/contract/dashboards'
import { button, dialog, toast } from '../workspaces-page.ts'
import { aDashboard } from './records.ts'
import { answerList, expect, test } from './test.ts'

test('a message is swiped away with a finger, stays while the focus is inside it, and goes after its usual time once the focus has left', async ({
  page,
  backend,
  open,
}) => {
  answerList(backend, listDashboards, [aDashboard()])
  backend.answer(deleteDashboard, undefined)
  async function remove() {
    await button(page, 'Delete Reach').click()
    await button(page, 'Delete').click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(toast(page)).toBeVisible()
  }
  await open('/dashboards')
  await remove()
  // A short swipe leaves it.
  await swipe(page, toast(page), 0.2)
  await expect(toast(page)).toBeVisible()
  await swipe(page, toast(page), 0.6)
  await expect(toast(page)).toHaveCount(0)

  await page.clock.install()
  await remove()
  const undo = button(toast(page), 'Undo')
  await undo.focus()
  await page.clock.fastForward(20_000)
  await expect(undo).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.clock.fastForward(20_000)
  await expect(undo).toBeFocused()

  await undo.blur()
  await page.clock.fastForward(6_000)
  await expect(undo).toBeVisible()
  await page.clock.fastForward(6_000)
  await expect(toast(page)).toHaveCount(0)
})

/** With a finger, to the left, by a part of the width. */
async function swipe(page: Page, element: Locator, part: number) {
  const { x, y, width } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + width * (0.7 - moved), y: y + 4 }],
    })
  await touch('touchStart', 0)
  for (const moved of [part / 4, part / 2, part]) await touch('touchMove', moved)
  await touch('touchEnd', part)
  await session.detach()
}
