import { readVectors } from '../../db/vector-bytes.ts'

/** A vector of length 1, and what is asked about the stories that are similar to it. */
export type Target = Wanted & { vector: Float32Array }

/** Compares each vector that was read with the target. */
export function similarities(target: Target, bytes: Uint8Array): Tally {
  const tally = createTally(target)
  for (const { id, values } of readVectors(bytes, target.vector.length)) {
    addScore(tally, target, id, dotProduct(target.vector, values))
  }
  return tally
}

function dotProduct(one: Float32Array, other: Float32Array) {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

/** What a call asks about the similarities of the stories. */
export type Wanted = { thresholds: number[]; limit: number }

type Scored = { id: number; similarity: number }

export type Tally = {
  count: number
  /** How many stories are at least as similar as each threshold. */
  passing: number[]
  /** The most similar first; among equals the oldest. */
  nearest: Scored[]
}

export function createTally({ thresholds }: Wanted): Tally {
  return { count: 0, passing: thresholds.map(() => 0), nearest: [] }
}

/** Rounded, so that the same text comes to exactly 1. A vector of zeros is similar to nothing. */
export function addScore(tally: Tally, { thresholds, limit }: Wanted, id: number, cosine: number) {
  const similarity = Math.round((Number.isNaN(cosine) ? 0 : cosine) * 1e6) / 1e6
  tally.count += 1
  for (let at = 0; at < thresholds.length; at += 1) {
    if (similarity >= (thresholds[at] ?? Number.NaN)) tally.passing[at] = (tally.passing[at] ?? 0) + 1
  }
  addNearest(tally.nearest, limit, id, similarity)
}

export function addTally(tally: Tally, { limit }: Wanted, part: Tally) {
  tally.count += part.count
  tally.passing = tally.passing.map((sum, at) => sum + (part.passing[at] ?? 0))
  for (const { id, similarity } of part.nearest) addNearest(tally.nearest, limit, id, similarity)
}

function addNearest(nearest: Scored[], limit: number, id: number, similarity: number) {
  let place = nearest.length
  for (; place > 0; place -= 1) {
    const before = nearest[place - 1]
    if (!before || before.similarity > similarity || (before.similarity === similarity && before.id < id)) break
  }
  if (place >= limit) return
  nearest.splice(place, 0, { id, similarity })
  if (nearest.length > limit) nearest.pop()
}
