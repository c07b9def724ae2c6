import type { Server } from '../../../scripts/start-server.mjs'
import type { Work, WorkName } from '../contender.ts'
import {
  COMMON_NAME,
  editedId,
  LAST_PAGE,
  MIDDLE_PAGE,
  newFirstName,
  newWorkspace,
  PART_OF_EMAIL,
  READ_ID,
} from '../inputs.ts'

/** Another admin server, installed from `bench/peers/<folder>`, and how its API is called. */
export type Peer = {
  name: string
  folder: string
  headers?: Record<string, string>
  /** 20 users by id, with their total. */
  list(query: { page: number; search: string }): string
  get(id: number): string
  edit: { method: 'POST' | 'PATCH'; path(id: number): string }
  create: { path: string; body?(workspace: object): object }
  /** The users in the body of a response, and for lists the total. */
  read(body: unknown): { users: User[]; total?: number }
  /** `signal` stops the server too. */
  start(options: { folder: string; databaseUrl: string; signal: AbortSignal }): Promise<Server>
  /** Removes what the peer added to the database. */
  cleanUp?(databaseUrl: string): Promise<void>
}

/** The part of a user that every peer returns, with the name of the workspace. */
type User = { id: number; first_name: string; workspace: string }

export const LISTS = {
  'list page 1': { page: 1, search: '' },
  'list, middle page': { page: MIDDLE_PAGE, search: '' },
  'list, last page': { page: LAST_PAGE, search: '' },
  'search, a common name': { page: 1, search: COMMON_NAME },
  'search, part of an email': { page: 1, search: PART_OF_EMAIL },
} satisfies Partial<Record<WorkName, object>>

/** `config` is a complete value of that column, for created workspaces. */
export function worksOf({ list, get, edit, create }: Peer, config: object): Partial<Record<WorkName, Work>> {
  const { path, body = (workspace) => workspace } = create
  return {
    ...Object.fromEntries(Object.entries(LISTS).map(([name, query]) => [name, { path: list(query) }])),
    'read one': { path: get(READ_ID) },
    'edit one': {
      method: edit.method,
      path: (n) => edit.path(editedId(n)),
      body: (n) => JSON.stringify({ first_name: newFirstName(n) }),
    },
    'create one': { method: 'POST', path, body: (n) => JSON.stringify(body({ ...newWorkspace(n), config })) },
  }
}
