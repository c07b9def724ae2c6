/** Words that Ukrainian and Russian share match despite other vowels: і, ї, и, й, ы are one letter, е, є, э, ё another. */
const LATIN: Record<string, string> = {
  ...pairs('абвгґдеєэзиіыјклмнопрстуфхцюя', 'abvggdeeeziiiiklmnoprstufhcua'),
  ж: 'zh',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ъ: '',
  ь: '',
}

function pairs(letters: string, latin: string) {
  return Object.fromEntries([...letters].map((letter, at) => [letter, latin.charAt(at)]))
}

const CYRILLIC = /[\u0400-\u04ff]/g
const MARKS_AND_APOSTROPHES = /[\p{M}'’ʼ`‘ʹ]/gu
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu

/** A ligature can expand to eighteen letters, so a text that expands beyond any real story is cut. */
const MAX_CHARACTERS = 300_000

/** Short, because sorting a long run of combining marks takes quadratic time. */
const PIECES = /.{1,64}/gsu

/** NFKD, except for the order of combining marks, which are dropped anyway. */
function decomposed(text: string) {
  return text.replace(PIECES, (piece) => piece.normalize('NFKD'))
}

/** To lowercase Latin letters, each word between single spaces. Decomposing removes the marks of ї, й and ё. */
export function simplify(text: string): string {
  const letters = decomposed(text)
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replace(MARKS_AND_APOSTROPHES, '')
    .replace(CYRILLIC, (letter) => LATIN[letter] ?? letter)
  return ` ${letters} `.replace(BETWEEN_WORDS, ' ')
}
