import { simplify } from '../../letters.ts'

export const LEXICAL_MODEL = 'lexical'
export const LEXICAL_LENGTH = 512

const STEM_LENGTH = 5
const GRAMS = { shortest: 3, longest: 5 }
const WEIGHT = { words: 1, grams: 0.5 }

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Different seeds for different kinds of features: the word `war` is not the same feature as its letters. */
const SEED = { word: 1, stem: 2, pair: 3, gram: 4 }

/** Words, stems, word pairs and letter n-grams, hashed with integers only: the result is the same on every machine. */
export function lexicalVector(text: string): Float32Array {
  const simple = simplify(text)
  const sums = new Float64Array(LEXICAL_LENGTH)
  addFeatures(sums, hashWords(simple.split(' ').filter(Boolean)), WEIGHT.words)
  addFeatures(sums, hashGrams(simple), WEIGHT.grams)
  return unit(sums)
}

function hashWords(words: string[]) {
  const hashes = new Uint32Array(words.length * 3)
  let count = 0
  let before = 0
  for (const word of words) {
    const stem = hash(word.slice(0, STEM_LENGTH), SEED.stem)
    hashes[count++] = hash(word, SEED.word)
    hashes[count++] = stem
    if (before !== 0) hashes[count++] = mix(Math.imul(before ^ SEED.pair, FNV_PRIME) ^ stem)
    before = stem
  }
  return hashes.subarray(0, count)
}

function hashGrams(text: string) {
  const hashes = new Uint32Array(text.length * (GRAMS.longest - GRAMS.shortest + 1))
  let count = 0
  for (let start = 0; start < text.length; start += 1) {
    let state = FNV_OFFSET ^ SEED.gram
    const end = Math.min(start + GRAMS.longest, text.length)
    for (let at = start; at < end; at += 1) {
      state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME)
      if (at - start + 1 >= GRAMS.shortest) hashes[count++] = mix(state)
    }
  }
  return hashes.subarray(0, count)
}

function hash(text: string, seed: number) {
  let state = FNV_OFFSET ^ seed
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME)
  return mix(state)
}

/** The finalizer of MurmurHash3, because the low bits of FNV are not random enough. */
function mix(state: number) {
  let mixed = state ^ (state >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A repeated feature counts by the square root of its frequency, so that common syllables do not dominate. */
function addFeatures(sums: Float64Array, hashes: Uint32Array, weight: number) {
  hashes.sort()
  for (let from = 0; from < hashes.length; ) {
    const feature = hashes[from] ?? 0
    let to = from + 1
    while (to < hashes.length && hashes[to] === feature) to += 1
    const place = feature % LEXICAL_LENGTH
    const sign = feature >= 0x80000000 ? -1 : 1
    sums[place] = (sums[place] ?? 0) + sign * weight * Math.sqrt(to - from)
    from = to
  }
}

/** A text without letters or digits stays zero and is similar to nothing. */
export function unit(values: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let at = 0; at < values.length; at += 1) squares += (values[at] ?? 0) ** 2
  const length = Math.sqrt(squares) || 1
  const result = new Float32Array(values.length)
  for (let at = 0; at < values.length; at += 1) result[at] = (values[at] ?? 0) / length
  return result
}
