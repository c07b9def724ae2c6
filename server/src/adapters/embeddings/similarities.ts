import { copiedArrays, dotProduct } from '../../db/real-array.ts'

/** The cosine of each vector, rounded so that the same text comes to exactly 1. */
export type Similarities = { id: number; similarity: number }[]

/** A vector of length 1 against those of a binary copy of ids and vectors; those of another length are left out. */
export function similarities(vector: Float32Array, copied: Uint8Array): Similarities {
  const copy = new DataView(copied.buffer, copied.byteOffset, copied.byteLength)
  const result: Similarities = []
  for (const { id, at, length } of copiedArrays(copy)) {
    if (length !== vector.length) continue
    result.push({ id, similarity: Math.round(dotProduct(vector, copy, at) * 1e6) / 1e6 })
  }
  return result
}
