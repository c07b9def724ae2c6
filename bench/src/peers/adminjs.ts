import { startServer } from '../../../scripts/start-server.mjs'
import type { Peer } from './peer.ts'

const resources = '/admin/api/resources'

type Body = { record: UserRecord } | { records: UserRecord[]; meta: { total: string } }
type UserRecord = {
  params: { id: number; first_name: string }
  populated: { workspace_id: { params: { name: string } } }
}

export const adminjs: Peer = {
  name: 'AdminJS',
  folder: 'adminjs',
  list: ({ page, search }) =>
    `${resources}/users/actions/list?perPage=20&page=${page}${search ? `&filters.search_text=${search}` : ''}`,
  get: (id) => `${resources}/users/records/${id}/show`,
  edit: { method: 'POST', path: (id) => `${resources}/users/records/${id}/edit` },
  create: { path: `${resources}/workspaces/actions/new`, body: withJsonAsText },
  read(body) {
    const answer = body as Body
    if ('record' in answer) return { users: [userOf(answer.record)] }
    return { users: answer.records.map(userOf), total: Number(answer.meta.total) }
  },
  start: ({ folder, databaseUrl, signal }) =>
    startServer(
      { NODE_ENV: 'production', ADMIN_JS_SKIP_BUNDLE: 'true', DATABASE_URL: databaseUrl },
      { command: [process.execPath, 'app.mjs'], cwd: folder, signal },
    ),
}

function userOf({ params, populated }: UserRecord) {
  return { id: params.id, first_name: params.first_name, workspace: populated.workspace_id.params.name }
}

/** The SQL adapter would insert each field of an object as a column. */
function withJsonAsText(workspace: object) {
  return Object.fromEntries(
    Object.entries(workspace).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value]),
  )
}
