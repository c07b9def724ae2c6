import type { APIRequestContext, Page } from '@playwright/test'
import { shareSession } from './test.ts'
import type { Watchdesk } from './watchdesk.ts'

/** Test data, created through the API. Names are unique, because the tests of a worker share a database. */
export type Seed = {
  token: string
  workspace: (name: string, fields?: object) => Promise<{ id: number; name: string }>
  user: (workspace_id: number, fields?: object) => Promise<SeededUser>
  patchUser: (id: number, fields: object) => Promise<void>
}

type SeededUser = { id: number; first_name: string; last_name: string; email: string; version: number }

export const PASSWORD = 'quiet river stone'

let counter = 0

/** A text that occurs nowhere else in the database. */
export function unique(word: string) {
  counter += 1
  return `${word}${process.pid}x${counter}`
}

/** Signs in, and returns functions that create test data. */
export async function seed(page: Page, watchdesk: Watchdesk): Promise<Seed> {
  const token = await shareSession(page, watchdesk)
  const send = sender(page.request, watchdesk.url, token)
  const quota = { limit: 100, balance: 50, renewal_date: '2027-01-01T00:00:00' }
  return {
    token,
    workspace: (name, fields) =>
      send('POST', 'workspaces/', { name, analytical_quota: quota, ai_quota: quota, ...fields }),
    user: (workspace_id, fields) => {
      const name = unique('person')
      const body = { first_name: 'Iryna', last_name: name, email: `${name}@example.com`, password: PASSWORD }
      return send('POST', 'users/', { ...body, workspace_id, ...fields })
    },
    patchUser: async (id, fields) => {
      await send('PATCH', `users/${id}`, fields)
    },
  }
}

function sender(request: APIRequestContext, url: string, token: string) {
  return async (method: string, path: string, data: object) => {
    const response = await request.fetch(`${url}/api/v1/${path}`, {
      method,
      data,
      headers: { authorization: `Bearer ${token}` },
    })
    if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.json()
  }
}
