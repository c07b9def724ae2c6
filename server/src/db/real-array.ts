/** PostgreSQL's binary form of `real[]`: five numbers about the array, then each value after its own length. */
const HEADER = 20
const REAL = 700
const STEP = 8

/** A vector as a parameter: written ten times faster than as text, on both sides, and exact. */
export function toRealArray(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER + vector.length * STEP)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(0, 4)
  bytes.writeInt32BE(REAL, 8)
  bytes.writeInt32BE(vector.length, 12)
  bytes.writeInt32BE(1, 16)
  for (let at = 0; at < vector.length; at += 1) {
    bytes.writeInt32BE(4, HEADER + at * STEP)
    bytes.writeFloatBE(vector[at] ?? 0, HEADER + at * STEP + 4)
  }
  return bytes
}

const COPY_HEADER = 19

/** The rows of `copy (select <bigint>, <real[]>) to stdout binary`: each id, with where its array is and how long; -1 without one. */
export function* copiedArrays(copy: DataView) {
  let at = COPY_HEADER
  // Each row begins with its number of columns; -1 ends the copy.
  while (copy.getInt16(at) === 2) {
    const id = Number(copy.getBigInt64(at + 6))
    const bytes = copy.getInt32(at + 14)
    at += 18
    yield { id, at, length: bytes < 0 ? -1 : (bytes - HEADER) / STEP }
    at += Math.max(0, bytes)
  }
}

/** The sum of the products of a vector's values with those of the array that stands at a place of the copy. */
export function dotProduct(vector: Float32Array, copy: DataView, at: number) {
  let sum = 0
  for (let index = 0, value = at + HEADER + 4; index < vector.length; index += 1, value += STEP) {
    sum += (vector[index] ?? 0) * copy.getFloat32(value)
  }
  return sum
}
