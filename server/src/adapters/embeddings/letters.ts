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

/** Latin and Cyrillic, looked up at once: the patterns are slow, and these are nearly all that comes. */
const COMMON = Array.from({ length: 0x530 }, (_, code) => simplified(String.fromCharCode(code)))

/**
 * A text in small Latin letters, without accents, apostrophes and signs, each word between single blanks. Decomposed first,
 * which also takes the marks off ї, й and ё. Scripts other than Latin and Cyrillic stay as they are.
 */
export function simplify(text: string): string {
  let simple = ' '
  let isGap = true
  for (const character of text.normalize('NFKD').toLowerCase()) {
    const next = COMMON[character.codePointAt(0) ?? 0] ?? simplified(character)
    if (next === ' ' && isGap) continue
    simple += next
    if (next !== '') isGap = next === ' '
  }
  return isGap ? simple : `${simple} `
}
