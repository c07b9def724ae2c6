import { test as base, expect } from './test.ts'

type Fixtures = {
  /** Calls the API as the super admin who is signed in on every page. */
  api: <Result>(method: string, path: string, data?: object, headers?: Record<string, string>) => Promise<Result>
}

export const test = base.extend<Fixtures>({
  isSignedIn: true,
  api: async ({ page, watchdesk }, use) => {
    const authorization = `Bearer ${await watchdesk.session.token()}`
    await use(async (method, path, data, more) => {
      const headers = { authorization, ...more }
      const response = await page.request.fetch(path, { method, headers, data })
      expect(response.ok()).toBe(true)
      return response.status() === 204 ? undefined : response.json()
    })
  },
})
