import { readScreens } from '../scripts/screens.mjs'
import { expect, goInside, signIn } from './test.ts'
import { PASSWORD, test } from './workspaces-page.ts'

test('a workspace admin sees its own pages, and a message about missing access on the others', async ({
  page,
  make,
  watchdesk,
}) => {
  const { id, name } = await make.workspace()
  const { id: own, email } = await make.user(id, { is_admin: true })
  await signIn(page, { url: watchdesk.url, email, password: PASSWORD })
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  const heading = page.getByRole('heading', { level: 1 })

  const theirs = new Map<string, [address: string, title: string | RegExp]>([
    ['/users', ['/users', 'Users']],
    ['/users/create', ['/users/create', 'Create user']],
    ['/users/import', ['/users/import', 'Add many users']],
    ['/users/$id/edit', [`/users/${own}/edit`, /^Edit User/]],
    ['/workspaces', ['/workspaces', 'Workspaces']],
    ['/workspaces/$id', [`/workspaces/${id}`, name]],
    ['/account', ['/account', 'My account']],
    ['/activity', ['/activity', 'Activity']],
    ['/bin', ['/bin', 'Bin']],
  ])
  await page.goto('/users')
  const others = (await readScreens(page)).filter(({ path }) => !theirs.has(path))
  expect(others.length).toBeGreaterThan(0)
  for (const { path } of others) {
    await goInside(page, path.replace('$id', '1'))
    await expect(heading).toHaveText("You don't have access to this page")
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  }
  await page.getByRole('main').getByRole('link', { name: 'Go to users' }).click()
  await expect(heading).toHaveText('Users')
  for (const [path, title] of theirs.values()) {
    await goInside(page, path)
    await expect(heading).toHaveText(title)
  }
  // The page made no call that the server had to reject.
  expect(refused).toEqual([])
})
