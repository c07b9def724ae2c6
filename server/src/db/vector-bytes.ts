/** PostgreSQL's binary format of `real[]`: a header of five numbers, then each value preceded by its length. */
const HEADER = 20
const REAL = 700
const STEP = 8

/** A vector as a binary parameter: exact, and ten times as fast as text on both sides. */
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

/** Only the values, little-endian, as in the memory of all processors that Node supports. */
export function toPacked({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** An id in the binary format of `bigint`; our ids are safe integers. */
export function readId(bytes: DataView, at: number) {
  return bytes.getInt32(at) * 2 ** 32 + bytes.getUint32(at + 4)
}

/**
 * Iterates over vectors of the same length: each is an id, the number of bytes, and either the packed values or a
 * `real[]`. The buffer is reused for the next vector.
 */
export function* readVectors(bytes: Uint8Array, length: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const copied = new Float32Array(length)
  for (let at = 0; at < bytes.byteLength; ) {
    const id = readId(view, at)
    const size = view.getInt32(at + 8)
    at += 12
    if (size === length * Float32Array.BYTES_PER_ELEMENT) {
      yield { id, values: new Float32Array(bytes.buffer, bytes.byteOffset + at, length) }
    } else {
      for (let index = 0; index < length; index += 1) copied[index] = view.getFloat32(at + HEADER + index * STEP + 4)
      yield { id, values: copied }
    }
    at += size
  }
}
