import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg, { type Pool } from 'pg'
import { install } from '../../../scripts/npm.mjs'
import type { Contender, WorkName } from '../contender.ts'
import { adminjs } from './adminjs.ts'
import { check } from './check.ts'
import { directus } from './directus.ts'
import { nestjs } from './nestjs.ts'
import { type Peer, worksOf } from './peer.ts'

type Missing = { name: string; reason: string }

const PEERS = [adminjs, nestjs, directus]
const APPS = fileURLToPath(new URL('../../peers/', import.meta.url))
const START_DEADLINE_MS = 15 * 60_000
const REASON_LENGTH = 500

/**
 * Installs other admin servers into temporary folders and starts them on the same database. What cannot be installed,
 * started or done is missing.
 */
export async function startPeers(databaseUrl: string) {
  const contenders: Contender[] = []
  const missing: Missing[] = []
  const pool = new pg.Pool({ connectionString: databaseUrl })
  for (const peer of PEERS) {
    console.log(`Installing and starting ${peer.name} …`)
    try {
      const contender = await startPeer(peer, databaseUrl, pool)
      contenders.push(contender)
      missing.push(...(await removeFailing(contender, peer, pool)))
    } catch (error) {
      missing.push({ name: peer.name, reason: reasonOf(error) })
    }
  }
  await pool.end()
  return { contenders, missing }
}

async function startPeer(peer: Peer, databaseUrl: string, pool: Pool): Promise<Contender> {
  const folder = await mkdtemp(join(tmpdir(), `watchdesk-bench-${peer.folder}-`))
  const abort = new AbortController()
  const cleanUp = () => {
    abort.abort()
    rmSync(folder, { recursive: true, force: true })
  }
  // In case the benchmark fails or is interrupted.
  process.once('exit', cleanUp)
  const deadline = setTimeout(() => abort.abort(), START_DEADLINE_MS)
  try {
    await cp(join(APPS, peer.folder), folder, { recursive: true })
    await install(folder, abort.signal)
    const server = await peer.start({ folder, databaseUrl, signal: abort.signal })
    const { rows } = await pool.query('select config from workspaces order by id limit 1')
    return {
      ...server,
      name: peer.name,
      headers: peer.headers ?? {},
      works: worksOf(peer, rows[0].config),
      async stop() {
        await server.stop()
        cleanUp()
        await peer.cleanUp?.(databaseUrl)
      },
    }
  } catch (error) {
    cleanUp()
    throw error
  } finally {
    clearTimeout(deadline)
  }
}

/** Removes works that do not return or write what they should. */
async function removeFailing(contender: Contender, peer: Peer, pool: Pool) {
  const missing: Missing[] = []
  for (const work of Object.keys(contender.works) as WorkName[]) {
    try {
      await check(pool, peer, contender, work)
    } catch (error) {
      delete contender.works[work]
      missing.push({ name: `${peer.name}, ${work}`, reason: reasonOf(error) })
    }
  }
  return missing
}

function reasonOf(error: unknown) {
  return String(error instanceof Error ? error.message : error).slice(0, REASON_LENGTH)
}
