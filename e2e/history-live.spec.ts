import { expectAccessible } from './accessible.ts'
import { panel, quietLine, test } from './history-page.ts'
import { expect } from './test.ts'
import { field } from './workspaces-page.ts'

const POLL_MS = 15_000

test('an open form says that somebody else has saved a newer version, and shows what changed', async ({
  page,
  make,
  vera,
}) => {
  await page.clock.install()
  const { id } = await make.workspace()
  const user = await make.user(id)
  await page.goto(`/users/${user.id}/edit`)
  await field(page, 'First name').fill('Olena')
  await expect(page.getByText('Created by Super Admin')).toBeVisible()
  await vera.api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
  await expect(quietLine(page)).toHaveCount(0)
  await page.clock.fastForward(POLL_MS)
  await expect(quietLine(page)).toHaveText(
    new RegExp(
      `^${vera.name} saved a newer version today at .*\\. When you save, your changes and theirs are combined\\. See what changed$`,
    ),
  )
  await expect(page.getByText(`Last changed by ${vera.name}`)).toBeVisible()
  await expect(field(page, 'First name')).toHaveValue('Olena')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See what changed' }).click()
  await expect(panel(page).getByText(/changed the type of/)).toBeVisible()
  await page.goBack()
  await expect(field(page, 'First name')).toHaveValue('Olena')
})
