import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN, NO_LOAD_SHEDDING, startServer } from '../scripts/start-server.mjs'
import { expectToast, openEvent, preview, test } from './history-page.ts'
import { expect, signIn } from './test.ts'
import { button } from './workspaces-page.ts'

const CATALOG = new URL('../server/catalog.json', import.meta.url)
const QUOTA = { limit: 10, balance: 5, renewal_date: '2027-01-01T00:00:00' }

test('a role that is gone from the catalog is left out when roles are put back, and the preview says so', async ({
  page,
  faults,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'watchdesk-'))
  // PostgreSQL does not run as root: its user needs access to the folder.
  chmodSync(folder, 0o755)
  const catalog = join(folder, 'catalog.json')
  const start = async (roles: string[]) => {
    writeFileSync(catalog, JSON.stringify({ ...JSON.parse(readFileSync(CATALOG, 'utf8')), all_roles: roles }))
    const server = await startServer({
      ...NO_LOAD_SHEDDING,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
      BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      CATALOG_FILE: catalog,
    })
    faults.allowOrigin(server.url)
    return server
  }
  const known = JSON.parse(readFileSync(CATALOG, 'utf8')).all_roles
  let server = await start([...known, 'auditor'])
  try {
    const token = await signIn(page, { ...server, ...ADMIN })
    const send = async (method: string, path: string, roles: string[]) => {
      const response = await page.request.fetch(`${server.url}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        data: { name: 'Atlas', analytical_quota: QUOTA, ai_quota: QUOTA, roles },
      })
      return response.json()
    }
    const { id } = await send('POST', 'workspaces/', ['search', 'auditor'])
    await send('PUT', `workspaces/${id}`, ['cases'])
    await server.stop()
    server = await start(known)
    await signIn(page, { ...server, ...ADMIN })
    await page.goto(`${server.url}/workspaces/${id}?history=true`)
    await openEvent(page, 'changed the roles')
    await button(page, 'Put back Roles').click()
    await expect(preview(page).getByRole('row').last()).toHaveText(
      'Rolescasessearch' + 'Left out, because it no longer exists: role auditor.',
    )
    await button(page, 'Put back').click()
    await expectToast(page, 'Roles put back.')
    await expect(page.locator('dd', { hasText: 'search' })).toHaveText('search')
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
