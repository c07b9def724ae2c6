import type { Page } from '@playwright/test'
import type { OtherBackend } from './other-backend.ts'
import { REFUSED } from './session-page.ts'
import { CSV_FILES, type SourceFile, XLSX_FILES } from './source-files.ts'
import { expect, storeToken, test } from './test.ts'

const IMPORT = 'POST /api/v1/source_import/sources'

test.beforeEach(async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  otherBackend.responses['GET /api/v1/users/me'] = {
    status: 200,
    body: { first_name: 'I', last_name: 'S', email: 'i@x.example' },
  }
  otherBackend.responses[IMPORT] = {
    status: 200,
    body: { error_message: null, requested_count: 0, inputs_count: 0, created_sheet_url: null },
  }
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/source_import`)
})

for (const [kind, files] of [
  ['CSV', CSV_FILES],
  ['XLSX and LibreOffice', XLSX_FILES],
] as const) {
  test(`each of ${files.length} ${kind} files gives exactly its records, or the exact error message`, async ({
    page,
    otherBackend,
  }) => {
    test.setTimeout(180_000)
    for (const file of files) await test.step(file.name, () => check(page, otherBackend, file))
    expect(await page.evaluate(() => Reflect.get({}, 'a') ?? Reflect.get({}, 'y'))).toBeUndefined()
  })
}

async function check(page: Page, backend: OtherBackend, { name, content, records, rows, says }: SourceFile) {
  const field = page.getByLabel('File', { exact: true })
  await field.setInputFiles({ name, mimeType: '', buffer: content })
  if (!records) {
    await expect.soft(field, name).toHaveAccessibleDescription(new RegExp(`${literally(says ?? '')}$`))
    await expect.soft(page.getByText('Loaded and parsed'), name).toHaveCount(0)
  } else {
    await expect
      .soft(page.getByText(`Loaded and parsed file into array of ${records.length} records.`), name)
      .toBeVisible()
    if (says) await expect.soft(page.getByRole('main'), name).toContainText(says)
    if (rows) await expect.soft(page.locator('tbody tr > :first-child'), name).toHaveText(rows.map(String))
    backend.calls.length = 0
    await page.getByRole('button', { name: 'Import sources' }).click()
    await expect.poll(() => backend.calls.map(({ call }) => call)).toEqual([IMPORT])
    const body = JSON.parse(backend.calls[0]?.body ?? '')
    expect.soft(body, name).toEqual({ email: 'i@x.example', sheet_url: null, sheet_records: records })
  }
  const remove = page.getByRole('button', { name: `Remove ${name}` })
  await remove.click()
  await expect(remove).toHaveCount(0)
}

function literally(text: string) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
