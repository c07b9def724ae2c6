import { realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { isAlive, passwordIn, postmaster, signIn, type startWatchdesk, until } from './processes.ts'

/** The first start on an empty data directory, from the first requests to the end of its database. */
export async function expectFirstStart(watchdesk: Awaited<ReturnType<typeof startWatchdesk>>, data: string) {
  const password = passwordIn(watchdesk.output())
  expect(password).toHaveLength(17)
  expect((await fetch(`${watchdesk.url}/health/ready`)).status).toBe(200)
  expect((await fetch(watchdesk.url)).headers.get('content-type')).toContain('text/html')
  expect(await signIn(watchdesk.url, password)).toBe(200)
  const { pid, listensOn } = postmaster(data)
  expect(listensOn).toBe('')
  expect(await watchdesk.stop()).toBe(0)
  // A process that has exited keeps its id until its parent has reaped it.
  await until(() => !isAlive(watchdesk.pid) && !isAlive(pid))
  // The database of root is not in a folder that only root may enter.
  rmSync(dirname(realpathSync(join(data, 'postgres'))), { recursive: true, force: true })
}
