import { row } from '../users-page.ts'
import { aUser } from './records.ts'
import { expect, test } from './test.ts'
import { answerUsers } from './users.ts'

test('at 1440 px a usual name, both badges, a long email and a name of twice 30 characters are shown in full', async ({
  page,
  backend,
  open,
}) => {
  const usual = aUser({
    ...{ first_name: 'Kateryna', last_name: 'Tkachenko', email: 'kateryna10000x1@northwind-media.test' },
    ...{ is_admin: true, is_super_admin: true, type: 'UNDERPRIVILEGED', language: 'UK' },
  })
  const email = 'volodymyra10000x2.oleksandrivna-kovalenko@regional.newsroom-network.test'
  const names = { first_name: 'Oleksandra'.repeat(3), last_name: 'Shevchenko'.repeat(3) }
  const people = [usual]
  answerUsers(backend, people)
  await open('/users?workspace_id=1')
  await expect(row(page, usual.email)).toBeVisible()
  const cut = await row(page, usual.email)
    .getByRole('cell')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
  expect(cut).toEqual([])
  expect((await row(page, usual.email).boundingBox())?.height).toBeLessThan(46)

  people.push(aUser({ id: 11, email }), aUser({ id: 12, ...names, email: 'named@example.com' }))
  await open('/users?workspace_id=1')
  const cell = row(page, email).getByRole('cell').nth(3)
  await expect(cell).toHaveText(email)
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  expect(await cell.evaluate((element: HTMLElement) => element.innerText)).toBe(email)
  expect((await row(page, email).boundingBox())?.height).toBeLessThan(46)

  const name = row(page, 'named@example.com').getByRole('cell').nth(2)
  await expect(name).toHaveText(`${names.first_name} ${names.last_name}`)
  const isCut = await name.evaluate(
    (element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
  )
  expect(isCut).toBe(false)
})
