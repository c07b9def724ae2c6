/** PostgreSQL's binary format of `real[]`: a header of five numbers, then each value preceded by its length. */
const HEADER = 20
const REAL = 700
const STEP = 8

/** Exact, and ten times as fast as text on both sides. */
export function toRealArray(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER + vector.length * STEP)
  // The number of dimensions, no nulls, the type, and of the dimension its length and first index.
  for (const [at, value] of [1, 0, REAL, vector.length, 1].entries()) bytes.writeInt32BE(value, 4 * at)
  for (let at = 0; at < vector.length; at += 1) {
    bytes.writeInt32BE(4, HEADER + at * STEP)
    bytes.writeFloatBE(vector[at] ?? 0, HEADER + at * STEP + 4)
  }
  return bytes
}

/** Only the values, little-endian, as in the memory of all processors that Node supports. */
export function toPacked({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Of a vector, and one of the same length that is either packed or a `real[]`. */
export function dotProduct(vector: Float32Array, bytes: Buffer) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isPacked = bytes.byteLength === vector.byteLength
  const [start, step] = isPacked ? [0, Float32Array.BYTES_PER_ELEMENT] : [HEADER + 4, STEP]
  let sum = 0
  for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) * view.getFloat32(start + at * step, isPacked)
  return sum
}
