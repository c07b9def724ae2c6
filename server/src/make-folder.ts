import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Like `mkdir -p`. Node's recursive mkdir loops forever if the system returns ENOENT, for example below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path)
  if (!existsSync(parent)) await makeFolder(parent)
  await mkdir(path).catch(async (error) => {
    const existing = await stat(path).catch(() => undefined)
    if (!existing?.isDirectory()) throw error
  })
}
