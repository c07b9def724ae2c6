import { readVectors } from '../../db/vector-bytes.ts'
import { addScore, createTally, type Tally, type Wanted } from './tally.ts'

/** A vector of length 1, and what is asked about the stories that are similar to it. */
export type Target = Wanted & { vector: Float32Array }

/** Compares each vector that was read with all targets, which are of the same length. */
export function similarities(targets: Target[], bytes: Uint8Array): Tally[] {
  const tallies = targets.map(createTally)
  for (const { id, values } of readVectors(bytes, targets[0]?.vector.length ?? 0)) {
    for (let at = 0; at < targets.length; at += 1) {
      const [target, tally] = [targets[at], tallies[at]]
      if (target && tally) addScore(tally, target, id, dotProduct(target.vector, values))
    }
  }
  return tallies
}

function dotProduct(one: Float32Array, other: Float32Array) {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
