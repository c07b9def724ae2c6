/**
 * One Latin form for Ukrainian and Russian letters, so that the words the two languages share come out alike however each
 * spells their vowels: і, ї, и, й and ы are one letter, е, є, э and ё another.
 */
const LATIN: Record<string, string> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g',
  д: 'd',
  е: 'e',
  є: 'e',
  э: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  і: 'i',
  ы: 'i',
  ј: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'c',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ъ: '',
  ь: '',
  ю: 'u',
  я: 'a',
}

const LETTER = /[\p{L}\p{N}]/u
const MARK = /\p{M}/u
const APOSTROPHES = new Set("'’ʼ`‘ʹ")

/** What a decomposed character becomes: letters, nothing at all (marks and apostrophes), or the end of a word. */
function simplified(character: string): string {
  if (MARK.test(character) || APOSTROPHES.has(character)) return ''
  return LATIN[character] ?? (LETTER.test(character) ? character : ' ')
}

/** By character code: the patterns are slow, and a text has few different characters. */
const known = new Array<string | undefined>(0x10000)

function lookUp(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= known.length) return simplified(character)
  const simple = known[code] ?? simplified(character)
  known[code] = simple
  return simple
}

/** A ligature can stand for eighteen letters: of what unfolds beyond any story in any language, the beginning counts. */
const MOST_CHARACTERS = 300_000

/** Short enough that the order of a long run of marks, which takes the square of its length, costs nothing. */
const PIECE = 64

/** NFKD, except for the order of marks, which are dropped anyway. */
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
 * A text in small Latin letters, without accents, apostrophes and signs, each word between single blanks. Decomposed first,
 * which also takes the marks off ї, й and ё. Scripts other than Latin and Cyrillic stay as they are.
 */
export function simplify(text: string): string {
  let simple = ' '
  let isGap = true
  for (const character of decomposed(text).slice(0, MOST_CHARACTERS).toLowerCase()) {
    const next = lookUp(character)
    if (next === ' ' && isGap) continue
    simple += next
    if (next !== '') isGap = next === ' '
  }
  return isGap ? simple : `${simple} `
}
