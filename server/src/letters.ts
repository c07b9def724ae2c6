/**
 * Maps Ukrainian and Russian letters to Latin, so that words shared by both languages match despite different vowels:
 * і, ї, и, й and ы become one letter, е, є, э and ё another.
 */
const LATIN = new Map([
  ...pairs('абвгґдеєэзиіыјклмнопрстуфхцюя', 'abvggdeeeziiiiklmnoprstufhcua'),
  ['ж', 'zh'],
  ['ч', 'ch'],
  ['ш', 'sh'],
  ['щ', 'sh'],
])
const CYRILLIC = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'g')
const DROPPED = /[\p{M}ъь'’ʼ`‘ʹ]+/gu
const GAPS = /[^\p{L}\p{N}]+/gu

/** Each letter with the Latin one at the same place. */
function pairs(letters: string, latin: string) {
  return [...letters].map((letter, at): [string, string] => [letter, latin.charAt(at)])
}

/** A ligature can expand to eighteen letters, so a text that expands beyond any real story is cut. */
const MAX_CHARACTERS = 300_000

/** Short, because sorting a long run of combining marks takes quadratic time. The last character is a whole one. */
const PIECES = /[\s\S]{1,63}(?:[\ud800-\udbff][\udc00-\udfff]|[\s\S])?/g

/** NFKD, except for the order of combining marks, which are dropped anyway. */
function decomposed(text: string) {
  return text.replace(PIECES, (piece) => piece.normalize('NFKD'))
}

/**
 * Converts a text to lowercase Latin letters without accents, apostrophes and punctuation, with each word between
 * single spaces. Decomposes first, which also removes the marks of ї, й and ё. Other scripts are kept.
 */
export function simplify(text: string): string {
  const letters = decomposed(text)
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replace(DROPPED, '')
    .replace(CYRILLIC, (letter) => LATIN.get(letter) ?? letter)
  return ` ${letters} `.replace(GAPS, ' ')
}
