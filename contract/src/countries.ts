import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import ukrainian from 'i18n-iso-countries/langs/uk.json' with { type: 'json' }
import { LENGTH } from './limits.ts'

/** Common names missing from the lists. */
const OTHER_NAMES: [name: string, code: string][] = [
  ['Moldova', 'MD'],
  ['Russia', 'RU'],
  ['Syria', 'SY'],
  ['Laos', 'LA'],
  ['Viet Nam', 'VN'],
  ['Micronesia', 'FM'],
  ['Vatican', 'VA'],
  ['Vatican City', 'VA'],
  ['Falkland Islands', 'FK'],
  ['Російська Федерація', 'RU'],
  ['Тайвань', 'TW'],
  ['Південна Корея', 'KR'],
  ['Північна Корея', 'KP'],
  ['КНДР', 'KP'],
  ['ОАЕ', 'AE'],
  ['Сполучені Штати Америки', 'US'],
  ['Сполучені Штати', 'US'],
  ['Велика Британія', 'GB'],
  ['Сполучене Королівство', 'GB'],
]

type Names = Record<string, string | string[]>
const LISTS = [english, ukrainian] as { countries: Names }[]

let byName: Map<string, string> | undefined

/** The ISO alpha-2 code of an English or Ukrainian country name, or of an alpha-2 or alpha-3 code; case-insensitive. */
export function countryCode(written: string): string | undefined {
  // Normalizing takes quadratic time for a text that consists only of accents.
  if (written.length > LENGTH.country) return undefined
  const names = countryNames()
  // A fast path for exact matches, because a file can have a hundred thousand rows.
  return names.get(written.toLowerCase()) ?? names.get(plainName(written))
}

/** The code of each accepted name and code, as `plainName` writes it. */
export function countryNames(): ReadonlyMap<string, string> {
  byName ??= readNames()
  return byName
}

export type Country = { code: string; name: string; names: string[] }

export function countryList(): Country[] {
  return (codes as [string][])
    .map(([code]) => {
      const names = LISTS.flatMap(({ countries }) => countries[code] ?? [])
      const also = OTHER_NAMES.filter(([, other]) => other === code).map(([name]) => name)
      return { code, name: usualName(names, code), names: [...names, ...also] }
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

let byCode: Map<string, string> | undefined

export function countryName(code: string): string {
  byCode ??= new Map(countryList().map((country) => [country.code, country.name]))
  return byCode.get(code) ?? code
}

/** 'China' instead of "People's Republic of China". Two countries are called Congo. */
function usualName([first = '', ...others]: string[], code: string) {
  return others.find((name) => first.includes(name) && countryCode(name) === code) ?? first
}

function readNames() {
  const names = new Map<string, string>()
  const add = (name: string, code: string) => {
    const key = plainName(name)
    if (!names.has(key)) names.set(key, code)
  }
  for (const [alpha2, alpha3] of codes as [string, string][]) {
    add(alpha2, alpha2)
    add(alpha3, alpha2)
  }
  for (const { countries } of LISTS) {
    for (const [code, written] of Object.entries(countries)) for (const name of [written].flat()) add(name, code)
  }
  for (const [name, code] of OTHER_NAMES) add(name, code)
  return names
}

/** Ignores case, accents, apostrophe variants and repeated spaces. */
export function plainName(name: string) {
  const decomposed = name.normalize('NFKD')
  // A ligature can expand to eighteen letters, and no country name contains one.
  if (decomposed.length > LENGTH.country * 2) return ''
  return decomposed
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[’ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
