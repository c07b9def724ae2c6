import { expect, type Page } from '@playwright/test'
import { listAuditEvents } from '@watchdesk/contract/activity'
import { currentUser, getSignInOptions } from '@watchdesk/contract/auth/session'
import { getUserAccess } from '@watchdesk/contract/auth/user-access'
import { listBin } from '@watchdesk/contract/bin'
import * as catalog from '@watchdesk/contract/catalog'
import { getDashboard, listDashboards, listDashboardWorkspaces } from '@watchdesk/contract/dashboards'
import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import { listJobs } from '@watchdesk/contract/jobs'
import { listRuns } from '@watchdesk/contract/narratives-vectorization'
import { listOperations } from '@watchdesk/contract/operations/operations'
import { getOverview } from '@watchdesk/contract/overview'
import { chooseColumns, listSavedViews } from '@watchdesk/contract/saved-views'
import { listSheets } from '@watchdesk/contract/sheets'
import { describeFile, serviceAccount } from '@watchdesk/contract/source-import'
import { listSources } from '@watchdesk/contract/sources'
import { countStories } from '@watchdesk/contract/stories-import'
import { getUser, listUsers } from '@watchdesk/contract/users'
import { getWebsiteConfig, WEBSITE_CONFIG_DEFAULTS } from '@watchdesk/contract/website-config'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { browserTest } from '../browser-test.ts'
import { type Backend, type Call, Refusal, startBackend } from './backend.ts'
import { ME } from './records.ts'

export { expect }

type Fixtures = {
  backend: Backend
  /** Opens a page of the console. */
  open: (address: string) => Promise<void>
  /** Whether the super admin is signed in when a test starts. */
  isSignedIn: boolean
}

/** A page of the console with a backend that answers what the test says: no server, no database. */
export const test = browserTest.extend<Fixtures, { startedBackend: Backend }>({
  startedBackend: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const backend = await startBackend()
      await use(backend)
      await backend.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ startedBackend }, use) => use(startedBackend.url),
  isSignedIn: [true, { option: true }],
  token: ({ isSignedIn }, use, { testId }) => use(isSignedIn ? testId : undefined),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
  leave: ({}, use) => use(closeConsole),
  open: ({ page, backend: _ }, use) => use((address) => page.evaluate((to) => window.gallery.open(to), address)),
  faults: async ({ faults }, use) => {
    // The tests themselves refuse calls.
    faults.allow(/Failed to load resource/)
    await use(faults)
  },
  backend: [
    async ({ startedBackend, context: _ }, use, { testId }) => {
      startedBackend.reset(testId)
      answerAsUsual(startedBackend)
      await use(startedBackend)
      expect(startedBackend.mistakes, 'answers of the test').toEqual([])
    },
    { auto: true },
  ],
})

/** The page stays: only a new tab, or one that a test has led elsewhere, loads it. */
async function closeConsole(page: Page, origin: string) {
  if (new URL(page.url()).origin === origin) await page.evaluate(() => window.gallery.close())
  else await page.goto(`${origin}/empty`)
}

/** What every page asks for: nothing is there except the user. */
function answerAsUsual(backend: Backend) {
  backend.answer(currentUser, ME)
  backend.answer(getSignInOptions, { password: true, forgotten_password: false, sso: null })
  backend.answer(listJobs, { jobs: [] })
  backend.answer(listSavedViews, { objects: [] })
  backend.answer(chooseColumns, undefined)
  backend.answer(catalog.allRoles, ['analyst', 'editor'])
  backend.answer(catalog.availableRoles, ['analyst', 'editor'])
  backend.answer(catalog.allFeatureflags, ['exports', 'alerts'])
  backend.answer(catalog.caseTypes, ['fraud', 'spam'])
  backend.answer(catalog.vectorizationModels, { Small: 'small', Large: 'large' })
  backend.answer(catalog.lifeCycle, { trial_end: 'deactivate', quota_renewal: 'monthly' })
  backend.answer(getWebsiteConfig, WEBSITE_CONFIG_DEFAULTS)
  backend.answer(serviceAccount, { email: null })
  backend.answer(describeFile, undefined)
  backend.answer(countStories, { counts: [] })
  backend.answer(listAuditEvents, { objects: [], next: null, newest: '1-1' })
  // A backend without it has no entry in the menu.
  backend.refuse(getOverview, 404, 'Not Found')
  // Nor a part of the form of a user.
  backend.refuse(getUserAccess, 404, 'Not Found')
  answerList(backend, listUsers, [], getUser)
  answerList(backend, listWorkspaces, [], getWorkspace)
  answerList(backend, listDashboards, [], getDashboard)
  const others: Endpoint[] = [listBin, listDashboardWorkspaces, listOperations, listRuns, listSheets, listSources]
  for (const endpoint of others) answerList(backend, endpoint, [])
}

type RowOf<S> = S extends { response: { 200: infer R } }
  ? R extends { '~standard': { types?: { input: { objects: (infer Row)[] } } } }
    ? Row
    : never
  : never

/**
 * Answers a list, which is searched and paged like the real one, and optionally its records one by one. The rows may
 * change later. Sorting and other filters are the server's.
 */
export function answerList<S extends EndpointSchema>(
  backend: Backend,
  endpoint: Endpoint<S>,
  rows: RowOf<S>[],
  one?: Endpoint,
) {
  const page = ({ query }: Call) => {
    const search = query.search?.toLowerCase() ?? ''
    const found = rows.filter((row) =>
      JSON.stringify(Object.values(row as object))
        .toLowerCase()
        .includes(search),
    )
    const size = Number(query.page_size ?? 20)
    const from = (Number(query.page ?? 1) - 1) * size
    return { objects: found.slice(from, from + size), total: found.length, size }
  }
  backend.answer(endpoint as Endpoint, page as never)
  if (!one) return
  backend.answer(one, (({ params }: Call) => {
    const found = rows.find((row) => String((row as { id: number }).id) === params.id)
    return found ?? new Refusal(404, 'Not found.')
  }) as never)
}

/** The next call that the page makes to the endpoint, from now on. */
export async function nextCall<S extends EndpointSchema>(backend: Backend, endpoint: Endpoint<S>) {
  const before = backend.calls(endpoint).length
  await expect.poll(() => backend.calls(endpoint).length).toBeGreaterThan(before)
  return backend.calls(endpoint)[before]
}
