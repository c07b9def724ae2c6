import { listDashboards } from '@watchdesk/contract/dashboards'
import { listUsers } from '@watchdesk/contract/users'
import { aDashboard, aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('on a phone every row shows its ID, a user the language, and no line of a card begins with a dot', async ({
    page,
    backend,
    open,
  }) => {
    // Of every length, so that some line ends where a dot is.
    const emails = Array.from({ length: 16 }, (_, more) => `dot-${'n'.repeat(more + 12)}@nordic-media.example`)
    keepWorkspaces(backend, aWorkspace({ id: 31 }))
    answerList(
      backend,
      listUsers,
      emails.map((email, index) => aUser({ id: 41 + index, email })),
    )
    answerList(backend, listDashboards, [aDashboard({ id: 51 })])
    for (const [path, id, name] of [
      ['/workspaces', 31, 'Baltic'],
      ['/dashboards', 51, 'Reach'],
      ['/users', 41, emails[0]],
    ] as const) {
      await open(path)
      const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name })
      const shown = card.getByText(`ID ${id}`, { exact: true })
      await expect(shown).toBeVisible()
      // Non-breaking: a dot stays with the text before it and never starts a line.
      const dot = await shown.evaluate((part) => getComputedStyle(part, '::after').content)
      expect(['none', '"\u00a0· "']).toContain(dot)
      if (id === 41) await expect(card.getByText('Language Auto', { exact: true })).toBeVisible()
    }
    const shown = page.getByText('@nordic-media.example')
    await expect(shown).toHaveCount(emails.length)
    const broken = await shown.evaluateAll((parts) =>
      parts.flatMap((part) => {
        const [dot, before] = [...part.getClientRects()].filter(({ width }) => width > 0).reverse()
        return dot && dot.width < 20 && dot.top !== before?.top ? [part.textContent] : []
      }),
    )
    expect(broken).toEqual([])
  })
})
