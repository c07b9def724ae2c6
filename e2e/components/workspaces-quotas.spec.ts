import type { Page } from '@playwright/test'
import { updateWorkspace } from '@watchdesk/contract/workspaces'
import { ai, analytical, button, expectError, field, section } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, nextCall, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const quota = (balance: number) => ({ limit: 9_000, balance, renewal_date: '2027-01-01T00:00:00' })
const balance = (page: Page) => field(analytical(page), 'Balance')

test.beforeEach(async ({ page, backend, open }) => {
  keepWorkspaces(backend, aWorkspace({ analytical_quota: quota(8_000) }))
  await open('/workspaces/1/edit')
  await expect(balance(page)).toHaveValue('8000')
})

/** Enters the field with the keyboard. */
async function tabInto(page: Page) {
  await section(page, 'Quotas').focus()
  await page.keyboard.press('Tab')
  await expect(balance(page)).toBeFocused()
}

type Edit = { keys: string[]; paste?: string; becomes: number; says?: string }

const EDITS: Record<string, Edit> = {
  'pasted over with spaces around': {
    keys: [],
    paste: '   12,500   ',
    becomes: 12_500,
    says: 'Will be saved as 12,500',
  },
  'pasted into its middle': { keys: ['Home', 'ArrowRight'], paste: '12', becomes: 812_000 },
  'taken back by undo': { keys: ['9', 'ControlOrMeta+z'], becomes: 8_000 },
  'as large as can be': { keys: [], paste: '1000000000000', becomes: 1_000_000_000_000 },
}

test('a quota is saved as shown, however it is edited', async ({ page, backend }) => {
  // A rejected change keeps the form open for the next edit.
  backend.refuse(updateWorkspace, 400, 'Not now.')
  await field(page, 'Description').fill('Another one')
  for (const [how, { keys, paste, becomes, says }] of Object.entries(EDITS)) {
    await test.step(how, async () => {
      await balance(page).fill('8000')
      await tabInto(page)
      for (const key of keys) await page.keyboard.press(key)
      if (paste !== undefined) await page.keyboard.insertText(paste)
      await page.keyboard.press('Tab')
      await expect(balance(page)).toHaveValue(String(becomes))
      if (says) await expect(balance(page)).toHaveAccessibleDescription(says)
      const sent = nextCall(backend, updateWorkspace)
      await button(page, 'Save').click()
      expect((await sent)?.body.analytical_quota).toEqual(quota(becomes))
      await expect(button(page, 'Save')).toBeFocused()
    })
  }
  keepWorkspaces(backend, aWorkspace())
  await button(page, 'Save').click()
  await expect(page).not.toHaveURL(/edit$/)
  await expect(page.getByText('1,000,000,000,000 left of 9,000')).toBeVisible()
})

test('a value that is too large or not a whole number gets an error on blur, and stays as typed; a click places the cursor', async ({
  page,
}) => {
  const end = await balance(page).boundingBox()
  await page.mouse.click((end?.x ?? 0) + (end?.width ?? 0) - 4, (end?.y ?? 0) + (end?.height ?? 0) / 2)
  await page.keyboard.press('1')
  await expect(balance(page)).toHaveValue('80001')
  await balance(page).dblclick()
  await page.keyboard.type('42')
  await expect(balance(page)).toHaveValue('42')

  for (const [typed, message] of [
    ['12.345', 'This could be a fraction. If you mean 12345, write it without a separator.'],
    ['1000000000001', 'Must be at most 1,000,000,000,000.'],
  ] as const) {
    await tabInto(page)
    await page.keyboard.insertText(typed)
    await page.keyboard.press('Tab')
    await expectError(balance(page), message)
    await expect(balance(page)).toHaveValue(typed)
    await expect(analytical(page)).not.toContainText(' left of ')
  }
  await button(page, 'Save').click()
  await expectError(balance(page), 'Must be at most 1,000,000,000,000.')
  await expect(balance(page)).toBeFocused()
})

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE', hasOwnTab: true })

  test('a dot separates thousands, as the field then confirms, and a comma could be a fraction; days become year-month-day', async ({
    page,
    backend,
  }) => {
    await balance(page).fill('12,345')
    await balance(page).blur()
    await expectError(balance(page), 'This could be a fraction. If you mean 12345, write it without a separator.')
    await balance(page).fill('12.345')
    await balance(page).blur()
    await expect(balance(page)).toHaveValue('12345')
    await expect(balance(page)).toHaveAccessibleDescription('Will be saved as 12.345')

    const day = field(analytical(page), 'Next renewal date')
    await expect(day).toHaveAttribute('placeholder', 'YYYY-MM-DD or DD.MM.YYYY')
    await day.fill('31.06.2027')
    await expect(day).not.toHaveAttribute('aria-invalid', 'true')
    await day.press('Tab')
    await expectError(day, 'This date does not exist.')
    await day.fill('06/30/2027')
    await day.press('Tab')
    await expectError(day, 'Must be a date in the format YYYY-MM-DD or DD.MM.YYYY.')
    await day.fill('30.6.2027')
    await expect(day).not.toHaveAttribute('aria-invalid', 'true')
    await day.press('Tab')
    await expect(day).toHaveValue('2027-06-30')
    await button(analytical(page), 'Choose next renewal date').click()
    const calendar = page.getByRole('dialog')
    await expect(calendar.getByRole('button', { name: /^30[. ]/ })).toHaveAttribute('data-selected', 'true')
    await page.keyboard.press('Escape')

    await day.fill('1. Dezember 2027')
    await field(ai(page), 'Next renewal date').fill('02.12.27')
    // The field still has the focus: its text is parsed as on blur.
    const sent = nextCall(backend, updateWorkspace)
    await page.keyboard.press('Enter')
    expect((await sent)?.body).toMatchObject({
      analytical_quota: { ...quota(12_345), renewal_date: '2027-12-01T00:00:00' },
      ai_quota: { renewal_date: '2027-12-02T00:00:00' },
    })
  })
})
