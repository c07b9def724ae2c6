import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A lock without a process id is being written, or its writer failed. */
const WRITTEN_WITHIN_MS = 5000

/**
 * Waits until no other process sets up this checkout; the lock of a dead process is ignored. Returns what releases it, which
 * also happens on exit.
 */
export function takeLock(lock) {
  mkdirSync(dirname(lock), { recursive: true })
  const release = () => releaseLock(lock)
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      process.once('exit', release)
      return release
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (isStaleLock(lock) && removeLock(lock)) continue
      if (!isWaiting) console.log(`Waiting for another process to set up this project (${lock}) …`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  }
}

/** Left by a dead process, which may have had our own process id, as in a restarted container. */
function isStaleLock(lock) {
  const holder = holderOf(lock)
  if (holder) return holder === process.pid || !isAlive(holder)
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  return Date.now() - made > WRITTEN_WITHIN_MS
}

/** Removes a stale lock. One process at a time: otherwise one could remove the lock that the next has just taken. */
function removeLock(lock) {
  const removal = `${lock}-removal`
  try {
    writeFileSync(removal, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isStaleLock(removal)) rmSync(removal, { force: true })
    return false
  }
  const isOld = isStaleLock(lock)
  if (isOld) rmSync(lock, { force: true })
  rmSync(removal, { force: true })
  return isOld
}

/** Also runs on exit after a failure; by then the lock may belong to another process. */
function releaseLock(lock) {
  if (holderOf(lock) === process.pid) rmSync(lock, { force: true })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return undefined
  }
}
