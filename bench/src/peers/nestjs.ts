import { runToEnd, startServer } from '../../../scripts/start-server.mjs'
import type { Peer } from './peer.ts'

type Body = User | { objects: User[]; total: number }
type User = { id: number; first_name: string; workspace: { name: string } }

export const nestjs: Peer = {
  name: 'NestJS + TypeORM',
  folder: 'nestjs',
  list: ({ page, search }) => `/users?page=${page}${search ? `&search=${search}` : ''}`,
  get: (id) => `/users/${id}`,
  edit: { method: 'PATCH', path: (id) => `/users/${id}` },
  create: { path: '/workspaces' },
  read(body) {
    const answer = body as Body
    if ('objects' in answer) return { users: answer.objects.map(userOf), total: answer.total }
    return { users: [userOf(answer)] }
  },
  async start({ folder, databaseUrl, signal }) {
    const options = { cwd: folder, signal }
    const { code, output } = await runToEnd([process.execPath, 'node_modules/typescript/bin/tsc'], {}, options)
    if (code !== 0) throw new Error(`It does not compile: ${output}`)
    const command = [process.execPath, 'dist/main.js']
    return startServer({ NODE_ENV: 'production', DATABASE_URL: databaseUrl }, { command, ...options })
  },
}

function userOf({ id, first_name, workspace }: User) {
  return { id, first_name, workspace: workspace.name }
}
