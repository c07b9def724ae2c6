import { expect, test } from 'vitest'
import { PASSWORD, useWatchdesk } from '../../testing/watchdesk.ts'

const watchdesk = useWatchdesk()

test('a created user is listed with its workspace and never with its password', async () => {
  const workspace = await watchdesk.createWorkspace({ name: 'Northwind Media' })
  const created = await watchdesk.admin('POST', '/api/v1/users/', {
    first_name: 'Marcus',
    last_name: 'Reed',
    email: 'marcus.reed@northwind.example',
    password: PASSWORD,
    workspace_id: workspace.id,
  })
  expect(created.status).toBe(201)
  expect(created.body).toEqual({
    id: expect.any(Number),
    first_name: 'Marcus',
    last_name: 'Reed',
    email: 'marcus.reed@northwind.example',
    workspace_id: workspace.id,
    workspace: { name: 'Northwind Media' },
    is_admin: false,
    is_super_admin: false,
    type: 'STANDARD',
    language: '',
    version: 1,
  })
  const list = await watchdesk.admin('GET', `/api/v1/users/?workspace_ids=${workspace.id}`)
  expect(list.body).toEqual({ objects: [created.body], total: 1, size: 20 })
})
