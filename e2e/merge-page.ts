import type { Page } from '@playwright/test'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect } from './test.ts'
import { button, dialog, type Make, PASSWORD, unique } from './workspaces-page.ts'

/** The choice between two values of a field. */
export const question = (page: Page, label: string) =>
  dialog(page).getByRole('radiogroup', { name: label, exact: true })
export const save = (page: Page) => button(dialog(page), 'Save')

/** Another super admin, who uses the API. */
async function signInVera(page: Page, make: Make, url: string) {
  const person = {
    first_name: 'Vera',
    last_name: 'Moroz',
    email: `${unique('vera')}@example.com`,
    is_super_admin: true,
  }
  await make.user(1, person)
  const login = await page.request.post(`${url}/api/v1/login`, { data: { email: person.email, password: PASSWORD } })
  const headers = { authorization: `Bearer ${(await login.json()).access_token}` }
  return async (method: string, path: string, data?: object) => {
    const response = await page.request.fetch(`${url}/api/v1/${path}`, { method, headers, data })
    expect(response.ok()).toBe(true)
    return response.status() === 204 ? undefined : response.json()
  }
}

/** A workspace that Vera edits too. */
export async function edited(page: Page, make: Make, url: string) {
  const { id, name, description, analytical_quota, ai_quota } = await make.workspace()
  const call = await signInVera(page, make, url)
  const body = { name, description, analytical_quota, ai_quota }
  return {
    id,
    name,
    get: (): Promise<Workspace> => call('GET', `workspaces/${id}`),
    vera: (changes: object) => call('PUT', `workspaces/${id}`, Object.assign(body, changes)),
  }
}
