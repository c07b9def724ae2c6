/**
 * Maps Ukrainian and Russian letters to Latin, so that words shared by both languages match despite different vowels:
 * і, ї, и, й and ы become one letter, е, є, э and ё another.
 */
const LATIN: Record<string, string> = {
  ...pairs('абвгґдеєэзиіыјклмнопрстуфхцюя', 'abvggdeeeziiiiklmnoprstufhcua'),
  ж: 'zh',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ъ: '',
  ь: '',
}

/** Each letter with the Latin one at the same place. */
function pairs(letters: string, latin: string) {
  return Object.fromEntries([...letters].map((letter, at) => [letter, latin.charAt(at)]))
}

const LETTER = /[\p{L}\p{N}]/u
const MARK = /\p{M}/u
const APOSTROPHES = new Set("'’ʼ`‘ʹ")

/** What a decomposed character maps to: letters, nothing (marks and apostrophes), or a word boundary. */
function simplified(character: string): string {
  if (MARK.test(character) || APOSTROPHES.has(character)) return ''
  return LATIN[character] ?? (LETTER.test(character) ? character : ' ')
}

/** Cached by character code, because the patterns are slow and a text has few different characters. */
const known = new Array<string | undefined>(0x10000)

function lookUp(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= known.length) return simplified(character)
  const simple = known[code] ?? simplified(character)
  known[code] = simple
  return simple
}

/** A ligature can expand to eighteen letters, so a text that expands beyond any real story is cut. */
const MAX_CHARACTERS = 300_000

/** Short, because sorting a long run of combining marks takes quadratic time. */
const PIECE = 64

/** NFKD, except for the order of combining marks, which are dropped anyway. */
function decomposed(text: string) {
  if (text.length <= PIECE) return text.normalize('NFKD')
  let result = ''
  for (let start = 0; start < text.length; ) {
    let end = start + PIECE
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1
    result += text.slice(start, end).normalize('NFKD')
    start = end
  }
  return result
}

function isHighSurrogate(code: number) {
  return code >= 0xd800 && code <= 0xdbff
}

/**
 * Converts a text to lowercase Latin letters without accents, apostrophes and punctuation, with each word between
 * single spaces. Decomposes first, which also removes the marks of ї, й and ё. Other scripts are kept.
 */
export function simplify(text: string): string {
  let simple = ' '
  let isGap = true
  for (const character of decomposed(text).slice(0, MAX_CHARACTERS).toLowerCase()) {
    const next = lookUp(character)
    if (next === ' ' && isGap) continue
    simple += next
    if (next !== '') isGap = next === ' '
  }
  return isGap ? simple : `${simple} `
}
