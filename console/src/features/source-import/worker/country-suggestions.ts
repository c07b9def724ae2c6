import { countryCode, countryList, countryName, countryNames, plainName } from '@watchdesk/contract/countries'
import { editDistance } from '@watchdesk/contract/edit-distance'
import { LENGTH } from '@watchdesk/contract/limits'

/** Shorter texts differ from too many names and codes by one letter. */
const SHORTEST = 4
/** From this length on, two letters may be wrong. */
const LONG = 8
/** Words of longer names, such as 'Papua New Guinea': the part before the comma alone may be another country. */
const PART_OF_NAME =
  /\b(?:republic|democratic|people'?s|north|south|new|west|western|east|central|islands?|saint|province)\b/i
/** Also the name of a state, or shared by two countries. */
const AMBIGUOUS = new Set(['georgia', 'congo', 'korea', 'guinea', 'sudan', 'грузія'])

/** A file has the same misspelled name in many rows. */
const answers = new Map<string, string | undefined>()
const MOST_ANSWERS = 5_000

/** The name of the country that was clearly meant; undefined if the text is a country already or could be several. */
export function suggestCountry(written: string): string | undefined {
  const text = written.trim()
  if (text === '' || text.length > LENGTH.country || countryCode(text) !== undefined) return undefined
  if (!answers.has(text)) {
    if (answers.size === MOST_ANSWERS) answers.clear()
    answers.set(text, flagged(text) ?? withoutSigns(text) ?? oneOfParts(text) ?? misspelled(text))
  }
  return answers.get(text)
}

/** A flag is two letters of a special alphabet. */
function flagged(text: string) {
  const flags = [...text.matchAll(/[\u{1f1e6}-\u{1f1ff}]{2}/gu)].map(([flag]) => flag)
  const rest = text.replace(/[\u{1f1e6}-\u{1f1ff}\ufe0f]/gu, '').trim()
  const [flag] = flags
  if (flag === undefined || flags.some((other) => other !== flag)) return undefined
  const code = [...flag].map((letter) => String.fromCharCode((letter.codePointAt(0) ?? 0) - 0x1f1e6 + 65)).join('')
  if (countryCode(code) === undefined) return undefined
  if (rest === '') return nameOf(code)
  return countryCode(rest) === code ? rest : undefined
}

/** 'U.A.', '"Ukraine"', 'Ukraine.', 'the Ukraine'. */
function withoutSigns(text: string) {
  const bare = text
    .replace(/[.,;:!?"«»“”„<>[\]()*_#]/g, '')
    .replace(/^\s*(?:the|country)\s+/i, '')
    .trim()
  return bare !== text && countryCode(bare) !== undefined ? bare : undefined
}

/** 'Ukraine (UA)', 'Україна / Ukraine', 'Ukraine, Kyiv' and 'Tanzania, United Republic of'. */
function oneOfParts(text: string) {
  const parts = text
    .split(/[,;/|()[\]–—:]|\s-\s|\s{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length < 2) return undefined
  const [first = '', second = ''] = parts
  const turned = `${second} ${first}`
  if (parts.length === 2 && countryCode(turned) !== undefined) return turned
  const found = parts.filter((part) => countryCode(part) !== undefined)
  const [best] = [...found].sort((a, b) => b.length - a.length)
  if (best === undefined || new Set(found.map(countryCode)).size > 1) return undefined
  const isSure = best.length >= SHORTEST && !PART_OF_NAME.test(text) && !AMBIGUOUS.has(plainName(best))
  return found.length === parts.length || isSure ? best : undefined
}

/** The only country whose name differs by a letter, or by two if no other comes near. */
function misspelled(text: string) {
  const name = plainName(text)
  if (name.length < SHORTEST) return undefined
  const max = name.length < LONG ? 1 : 2
  // The best distance of each country, as far as a second one matters.
  const distances = new Map<string, { distance: number; name: string }>()
  for (const [other, code] of countryNames()) {
    const distance = editDistance(name, other, max + 1)
    const known = distances.get(code)
    if (distance <= max + 1 && (known === undefined || distance < known.distance))
      distances.set(code, { distance, name: other })
  }
  const [best, second] = [...distances].sort(([, a], [, b]) => a.distance - b.distance)
  if (best === undefined || best[1].distance > max) return undefined
  const [code, { distance, name: matched }] = best
  if (second && second[1].distance <= distance * 2 - 1) return undefined
  return writtenName(matched, code)
}

let byPlainName: Map<string, string> | undefined

/** The name with its capitals and accents, in the language in which it was matched. */
function writtenName(matched: string, code: string) {
  byPlainName ??= new Map(countryList().flatMap(({ names }) => names.map((name) => [plainName(name), name])))
  return byPlainName.get(matched) ?? nameOf(code)
}

function nameOf(code: string) {
  const name = countryName(code)
  return countryCode(name) === code ? name : code
}
