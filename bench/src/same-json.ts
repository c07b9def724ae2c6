import { deepEqual } from 'node:assert/strict'
import type { Contender, Work, WorkName } from './contender.ts'

/** Throws unless both answer every work with the same JSON, apart from ids and versions. */
export async function requireSameJson(one: Contender, other: Contender) {
  for (const name of Object.keys(one.works) as WorkName[]) {
    const [work, otherWork] = [one.works[name], other.works[name]]
    if (work && otherWork) deepEqual(await answer(one, work), await answer(other, otherWork), name)
  }
}

async function answer({ url, headers }: Contender, { method = 'GET', path, body }: Work) {
  const n = 1
  const response = await fetch(`${url}${typeof path === 'string' ? path : path(n)}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body?.(n),
  })
  const { id, version, first_name, ...json } = (await response.json()) as Record<string, unknown>
  return { status: response.status, json, hasIds: [id, version].map((value) => typeof value) }
}
