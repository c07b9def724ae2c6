import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small tmpfs. */
export type Disk = {
  /** Its path, as seen by a server on it. */
  dir: string
  /** Its path, as seen by the test. */
  seenAs: string
  /** The command prefix needed to see it. */
  prefix: string[]
  unmount(): void
}

/** Mounts a tmpfs as root, or in a user namespace if allowed; otherwise returns undefined. */
export async function mountDisk(size: string): Promise<Disk | undefined> {
  const dir = mkdtempSync(join(tmpdir(), 'watchdesk-disk-'))
  const mount = ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', dir]
  if (spawnSync('mount', mount, { stdio: 'ignore' }).status === 0) {
    const unmount = () => {
      execFileSync('umount', ['-l', dir])
      rmSync(dir, { recursive: true })
    }
    return { dir, seenAs: dir, prefix: [], unmount }
  }
  return (await mountInNamespace(dir, mount)) ?? void rmSync(dir, { recursive: true })
}

async function mountInNamespace(dir: string, mount: string[]): Promise<Disk | undefined> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  // PostgreSQL refuses to run as root, even as root of a namespace, so this switches back to our user.
  const asSelf = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`]
  const script = `mount "$@" && ${asSelf.join(' ')} true && echo mounted && exec cat`
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', ...mount]
  // The namespace and its disk exist as long as this process, which ends with ours.
  const holder = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const failed = once(holder, 'exit').catch(() => {})
  const isMounted = await Promise.race([once(holder.stdout, 'data').then(() => true), failed.then(() => false)])
  if (!isMounted) return undefined
  const enter = ['nsenter', `--target=${holder.pid}`, '--user', '--preserve-credentials', '--mount']
  const unmount = () => {
    holder.kill('SIGKILL')
    rmSync(dir, { recursive: true })
  }
  return { dir, seenAs: `/proc/${holder.pid}/root${dir}`, prefix: [...enter, ...asSelf], unmount }
}
