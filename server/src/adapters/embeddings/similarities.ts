import { copiedArrays, dotProduct } from '../../db/real-array.ts'

export type Similarities = {
  /** The cosine of each vector, rounded so that the same text comes to exactly 1. */
  scored: { id: number; similarity: number }[]
  /** How many rows there were: vectors of another length are left out of the others. */
  read: number
  lastId: number
}

/** A vector of length 1 against those that a binary copy of ids and vectors of length 1 holds. */
export function similarities(vector: Float32Array, copied: Uint8Array): Similarities {
  const copy = new DataView(copied.buffer, copied.byteOffset, copied.byteLength)
  const result: Similarities = { scored: [], read: 0, lastId: 0 }
  for (const { id, at, length } of copiedArrays(copy)) {
    result.read += 1
    result.lastId = id
    if (length !== vector.length) continue
    result.scored.push({ id, similarity: Math.round(dotProduct(vector, copy, at) * 1e6) / 1e6 })
  }
  return result
}
