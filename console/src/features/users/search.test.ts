import { expect, test } from 'vitest'
import { NO_WORKSPACE } from '../workspaces/shared/no-workspace.ts'
import { workspaceSearch } from './search.ts'

test('create-user accepts a workspace and nothing else', () => {
  expect(workspaceSearch({ workspace_id: '12', page: 3 })).toEqual({ workspace_id: 12 })
  expect(workspaceSearch({ workspace_id: '' })).toEqual({})
})

test.each(['abc', -1, 1.5, 3e9, '0'])(
  'create-user takes the workspace %o for one that does not exist',
  (workspace_id) => {
    expect(workspaceSearch({ workspace_id })).toEqual({ workspace_id: NO_WORKSPACE })
  },
)
