import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import ukrainian from 'i18n-iso-countries/langs/uk.json' with { type: 'json' }
import { LENGTH } from './limits.ts'

/** Common names that the lists lack. */
const ALSO: [name: string, code: string][] = [
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

let byName: Map<string, string> | undefined

/** ISO alpha-2 of a country's English or Ukrainian name, or of its alpha-2 or alpha-3 code, in any letter case. */
export function countryCode(written: string): string | undefined {
  // Normalising takes the square of a text's length where that is nothing but accents.
  if (written.length > LENGTH.country) return undefined
  byName ??= readNames()
  // Most are written as they stand in the list, and a file has a hundred thousand of them.
  return byName.get(written.toLowerCase()) ?? byName.get(plain(written))
}

function readNames() {
  const names = new Map<string, string>()
  const add = (name: string, code: string) => {
    const key = plain(name)
    if (!names.has(key)) names.set(key, code)
  }
  for (const [alpha2, alpha3] of codes as [string, string][]) {
    add(alpha2, alpha2)
    add(alpha3, alpha2)
  }
  for (const { countries } of [english, ukrainian] as { countries: Record<string, string | string[]> }[]) {
    for (const [code, written] of Object.entries(countries)) for (const name of [written].flat()) add(name, code)
  }
  for (const [name, code] of ALSO) add(name, code)
  return names
}

/** Letter case, accents, kinds of apostrophe and runs of blanks make no difference. */
function plain(name: string) {
  const decomposed = name.normalize('NFKD')
  // A ligature can stand for eighteen letters, and no name has any.
  if (decomposed.length > LENGTH.country * 2) return ''
  return decomposed
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[’ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
