import { GENERATED_PASSWORD_LENGTH } from '@watchdesk/contract/limits'
import { dictionary } from '@zxcvbn-ts/language-common'
import { simplify } from '../../../letters.ts'

const COMMON = new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()))
const PRODUCT = 'Watchdesk'
const MIN_WORD_LENGTH = 3

/** A common password with up to this many extra digits and symbols is still weak. */
const MAX_DECORATION = 12
/** A generated password contains two short names by chance once in a few hundred thousand, and must be accepted. */
const MIN_REMAINING = GENERATED_PASSWORD_LENGTH - 2 * MIN_WORD_LENGTH
const MIN_REMAINING_LETTERS = 6
/** Dates, phone numbers and so on. */
const MAX_DIGITS_ALONE = 10
const MAX_REPEATED_LENGTH = 64
const MIN_RUN_LENGTH = 4
const MIN_DIFFERENT_CHARACTERS = 5

export type Person = { email: string; first_name: string; last_name: string }
const NOBODY: Person = { email: '', first_name: '', last_name: '' }

/** Without a person, checks a password shared by many. */
export function weakness(password: string, person?: Person): string | undefined {
  const text = plain(password)
  if (isCommon(text)) return 'This password is too common. Choose one that is harder to guess, or generate one.'
  if (isPersonal(text, person)) {
    return `This password is based on the user's name, the email or "${PRODUCT}". Choose one without them, or generate one.`
  }
  return undefined
}

function plain(text: string) {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

function isCommon(text: string) {
  const characters = [...text]
  if (new Set(text.replace(/[\s\p{C}]/gu, '')).size < MIN_DIFFERENT_CHARACTERS) return true
  const first = characters.findIndex(isLetter)
  const end = characters.findLastIndex(isLetter) + 1
  const cores = [characters]
  // Symbols at either end may replace letters: `@dmin`, `we1c0m3`.
  if (end > 0) cores.push(characters.slice(first), characters.slice(0, end), characters.slice(first, end))
  return cores
    .filter((core) => core.length >= MIN_WORD_LENGTH && characters.length - core.length <= MAX_DECORATION)
    .some((core) => disguises(core.join('')).some((word) => COMMON.has(word) || isPattern(word)))
}

/** `19900101`, `abcdefgh`, `12341234`, `adminadmin`: not in any list, but widely tried. */
function isPattern(word: string): boolean {
  if (/^\d+$/.test(word) && word.length <= MAX_DIGITS_ALONE) return true
  if (word.length >= MIN_RUN_LENGTH && isRun(word)) return true
  if (word.length > MAX_REPEATED_LENGTH) return false
  const unit = /^(.+?)\1+$/su.exec(word)?.[1]
  return unit !== undefined && (unit.length <= MIN_RUN_LENGTH || isCommon(unit))
}

/** Whether all characters are consecutive, such as `abcd` or `4321`; 0 follows 9. */
function isRun(word: string) {
  const codes = [...word].map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0))
  return steps.every((step) => step === 1 || step === -9) || steps.every((step) => step === -1 || step === 9)
}

function isPersonal(text: string, { email, first_name, last_name }: Person = NOBODY) {
  // The top-level domain is not personal.
  const words = [PRODUCT, first_name, last_name, email.replace(/[.@][^.@]*$/, '')]
    .flatMap((word) => plain(word).split(/[^\p{L}\p{N}]/u))
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .sort((one, other) => other.length - one.length)
  return disguises(text).some((form) => {
    // Replaced by a space, so that the text before and after a word does not form a new word.
    const rest = words.reduce((left, word) => left.replaceAll(word, ' '), form)
    const letters = rest.replace(/\P{L}/gu, '')
    const own = text.length - (form.length - rest.replaceAll(' ', '').length)
    return rest !== form && own < MIN_REMAINING && letters.length < MIN_REMAINING_LETTERS
  })
}

const LOOK_ALIKES = new Map(
  Object.entries({ '@': 'a', 4: 'a', 8: 'b', 3: 'e', 0: 'o', $: 's', 5: 's', 7: 't', '+': 't' }),
)
const LOOK_LIKE_TWO = /[1!|]/g

/** The Latin letters on the keys of Ukrainian and Russian ones. */
const KEYS = new Map(
  [...'йцукенгшщзхїфівапролджєячсмитьбюъыэё'].map((letter, at) => [letter, "qwertyuiop[]asdfghjkl;'zxcvbnm,.]s'`"[at]]),
)

/** The list has Cyrillic words only in Latin letters, spelled and typed: `parol` and `gfhjkm`. */
function disguises(text: string): string[] {
  const read = [...text].map((character) => LOOK_ALIKES.get(character) ?? character).join('')
  const both = [read.replace(LOOK_LIKE_TWO, 'i'), read.replace(LOOK_LIKE_TWO, 'l')]
  const forms = [text, ...both, ...[text, ...both].map(joined)]
  if (!/\p{Script=Cyrillic}/u.test(text)) return forms
  const typed = [...text].map((character) => KEYS.get(character) ?? character).join('')
  return [...forms, typed, ...[text, read].map((form) => joined(simplify(form)))]
}

function joined(text: string) {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

function isLetter(character: string) {
  return /\p{L}/u.test(character)
}
