import { expect, test } from 'vitest'
import { QUOTAS, useWatchdesk } from './helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const LONGEST = 'x'.repeat(200)

type Kind = { path: string; edit: 'PATCH' | 'PUT'; names: string[]; rest: () => object }

let serial = 0
const KINDS: Record<string, Kind> = {
  user: {
    path: '/api/v1/users/',
    edit: 'PATCH',
    names: ['first_name', 'last_name'],
    rest: () => {
      serial += 1
      return { email: `trim${serial}@example.com`, password: 'quiet river stone', workspace_id: 1 }
    },
  },
  workspace: { path: '/api/v1/workspaces/', edit: 'PUT', names: ['name'], rest: () => QUOTAS },
  dashboard: {
    path: '/api/v1/powerbi_dashboards/',
    edit: 'PATCH',
    names: ['name'],
    rest: () => ({ embed_link: 'https://bi.example.com/1' }),
  },
}

test.each(Object.entries(KINDS))('the names of a %s are trimmed', async (_, kind) => {
  const { path, edit, names, rest } = kind
  const of = (name: string) => Object.fromEntries(names.map((field) => [field, name]))
  const created = await watchdesk.admin('POST', path, { ...rest(), ...of('  \t Ада  Winter \u00a0\n') })
  expect(created).toMatchObject({ status: 201, body: of('Ада  Winter') })
  const one = path + created.body.id
  const body = edit === 'PUT' ? { ...rest(), ...of(' Edited ') } : of(' Edited ')
  expect(await watchdesk.admin(edit, one, body)).toMatchObject({ status: 200, body: of('Edited') })
  expect((await watchdesk.admin('GET', one)).body).toMatchObject(of('Edited'))

  // Blanks do not count towards the length, and a name cannot consist of blanks.
  expect((await watchdesk.admin('POST', path, { ...rest(), ...of(`  ${LONGEST} `) })).status).toBe(201)
  expect((await watchdesk.admin('POST', path, { ...rest(), ...of(`${LONGEST}x`) })).status).toBe(422)
  expect((await watchdesk.admin('POST', path, { ...rest(), ...of(' \t ') })).status).toBe(422)
})
