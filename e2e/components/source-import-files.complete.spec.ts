import type { Page } from '@playwright/test'
import { listOperations } from '@watchdesk/contract/operations/operations'
import { importSources } from '@watchdesk/contract/source-import'
import { CSV_FILES, type SourceFile, XLSX_FILES } from '../source-files.ts'
import type { Backend } from './backend.ts'
import { ME } from './records.ts'
import { expect, nextCall, test } from './test.ts'

test.beforeEach(async ({ backend, open }) => {
  // A backend without jobs reads no files itself.
  backend.refuse(listOperations, 404, 'Not Found')
  backend.answer(importSources, { error_message: null, requested_count: 0, inputs_count: 0, created_sheet_url: null })
  await open('/source_import')
})

for (const [kind, files] of [
  ['CSV', CSV_FILES],
  ['XLSX and LibreOffice', XLSX_FILES],
] as const) {
  test(`each of ${files.length} ${kind} files gives exactly its records, or the exact error message`, async ({
    page,
    backend,
  }) => {
    test.setTimeout(180_000)
    for (const file of files) await test.step(file.name, () => check(page, backend, file))
    expect(await page.evaluate(() => Reflect.get({}, 'a') ?? Reflect.get({}, 'y'))).toBeUndefined()
  })
}

async function check(page: Page, backend: Backend, { name, content, records, rows, says }: SourceFile) {
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
    const sent = nextCall(backend, importSources)
    await page.getByRole('button', { name: 'Import sources' }).click()
    expect.soft((await sent)?.body, name).toEqual({ email: ME.email, sheet_url: null, sheet_records: records })
  }
  const remove = page.getByRole('button', { name: `Remove ${name}` })
  await remove.click()
  await expect(remove).toHaveCount(0)
}

function literally(text: string) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
