import type { Readable } from 'node:stream'

export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: Readable) {
    this.#chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** Reads up to the next line break, which is not included, or to the end of the stream. */
  async line(): Promise<string> {
    let end = this.#rest.indexOf(10)
    while (end < 0 && (await this.#more())) end = this.#rest.indexOf(10)
    const line = this.#rest.subarray(0, end < 0 ? undefined : end).toString()
    this.#rest = end < 0 ? Buffer.alloc(0) : this.#rest.subarray(end + 1)
    return line
  }

  /** Reads exactly this many bytes, or fewer at the end of the stream. */
  async bytes(count: number): Promise<Buffer> {
    while (this.#rest.length < count && (await this.#more())) {}
    const bytes = this.#rest.subarray(0, count)
    this.#rest = this.#rest.subarray(count)
    return bytes
  }

  async #more() {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }
}
