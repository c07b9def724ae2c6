import type { Platform } from '@watchdesk/contract/enums'
import { NOTHING_TO_IMPORT, RESULT_COLUMNS, readAddress, type Source } from '@watchdesk/contract/source-row'
import type { Trx } from '../db/open.ts'
import { countOutcomes } from '../db/row-sets.ts'
import { keepFewRows } from '../modules/operations/record.ts'
import { sourceChecksum } from '../row-checksums.ts'
import { type Dice, daysAgo, words } from './demo-data.ts'

type Person = { id: number; full_name: string }

/** Files with a number of sources, the last one with the rest, and sheets with those of a platform. */
type SampleImport = { days: number; platform?: Platform; name?: string; count?: number; wrong?: number; error?: string }

/** By age: the list shows the last one first, by id. */
const IMPORTS: SampleImport[] = [
  { name: 'sources-2026-q3.xlsx', days: 41, count: 1800 },
  { platform: 'VK', days: 34 },
  { name: 'telegram-regions.csv', days: 27, count: 1000 },
  { platform: 'OK', days: 20 },
  { name: 'channels from partners.csv', days: 16, count: 800, wrong: 38 },
  { name: 'contacts.csv', days: 9, count: 0, error: NOTHING_TO_IMPORT.file.no_url_column },
  { name: 'baltic media.xlsx', days: 3, wrong: 4 },
]
const SHEET_COLUMNS = ['row', 'source_url', 'source_country', 'outcome']

/** Rows of a file that could not be imported, and why. */
const WRONG = [
  ['t.me', 'Ukraine', '', 'invalid URL'],
  ['telegram channel of the city', 'Ukraine', '', 'invalid URL'],
  ['https://instagram.com/kyiv_live', 'Ukraine', '', 'unsupported platform'],
  ['https://t.me/lviv_forum_today', 'Ukarine', '', 'unknown country'],
  ['https://facebook.com/odesa.region', 'Lituania', '', 'unknown country'],
]

/** Adds the sources as imports of several people over the last weeks, each with its rows. */
export async function importSources(trx: Trx, dice: Dice, sources: Source[], people: Person[]) {
  const inFiles = sources.filter(({ platform }) => !IMPORTS.some((sample) => sample.platform === platform))
  for (const [index, sample] of IMPORTS.entries()) {
    const { platform, count = inFiles.length } = sample
    const part = platform ? sources.filter((source) => source.platform === platform) : inFiles.splice(0, count)
    await importPart(trx, dice, { sample, part, person: people[index % people.length] })
  }
}

type Part = { sample: SampleImport; part: Source[]; person: Person | undefined }

async function importPart(trx: Trx, dice: Dice, { sample, part, person }: Part) {
  const started_at = daysAgo(sample.days)
  started_at.setUTCHours(8 + dice.below(8), dice.below(60))
  const finished_at = new Date(started_at.getTime() + 1400)
  const by = person?.id ?? null
  const { id } = await trx
    .insertInto('operations')
    .values({
      ...(await contentOf(trx, dice, sample, part)),
      ...(!sample.error && { verification: verificationOf(part, finished_at) }),
      created_at: started_at,
      created_by: by,
      created_by_name: person?.full_name ?? null,
      started_at,
      finished_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const about = { import_id: id, created_at: started_at, updated_at: started_at, created_by: by, updated_by: by }
  const rows = part.map((source) => ({ ...source, ...about }))
  if (rows.length > 0) await trx.insertInto('sources').values(rows).execute()
}

async function contentOf(trx: Trx, dice: Dice, { name, platform, wrong = 0, error }: SampleImport, part: Source[]) {
  if (error) return { kind: 'source_import', name, bytes: 18_204, state: 'failed', error } as const
  if (platform) {
    const rows = part.map(({ url, country }) => [url, country ?? '', 'added'])
    return { kind: 'platform_import', platform, ...(await resultOf(trx, SHEET_COLUMNS, rows)) } as const
  }
  const rows = part.map((source) => [source.url, source.country ?? '', source.platform, 'requested'])
  for (let count = 0; count < wrong; count += 1) rows.splice(dice.below(rows.length), 0, dice.pick(WRONG))
  const bytes = rows.join('\n').length
  return { kind: 'source_import', name, bytes, ...(await resultOf(trx, RESULT_COLUMNS, rows)) } as const
}

async function resultOf(trx: Trx, columns: readonly string[], written: string[][]) {
  const header = [...columns]
  const rows = written.map((cells, index) => [String(index + 2), ...cells])
  const counts = countOutcomes(rows, header.indexOf('outcome'))
  const rows_id = await keepFewRows(trx, { header, rows, counts })
  return { state: 'done', counts: JSON.stringify(counts), rows_id } as const
}

function verificationOf(sources: Source[], at: Date) {
  const count = sources.length
  const checksum = sources.reduce((sum, source) => sum + sourceChecksum(source), 0).toString(16)
  return JSON.stringify({ expected_count: count, stored_count: count, is_equal: true, checksum, at: at.toISOString() })
}

const PLACES = words(`
  kyiv lviv odesa kharkiv dnipro poltava rivne sumy lutsk chernihiv warsaw vilnius riga tallinn prague berlin chisinau
  tbilisi baltic carpathian`)
const TOPICS = words(`
  news live today voice watch now daily chronicle insider forum media truth alerts economy sport region city events people
  talk`)
const COUNTRIES = ['UA', 'UA', 'UA', 'UA', 'PL', 'LT', 'LV', 'EE', 'CZ', 'DE', 'MD', 'GE', null]

/** URL patterns of each platform; common ones are listed more than once. */
const ADDRESSES: [Platform, string][] = [
  ['TELEGRAM', 't.me/'],
  ['TELEGRAM', 't.me/'],
  ['TELEGRAM', 't.me/'],
  ['FACEBOOK', 'facebook.com/'],
  ['FACEBOOK', 'facebook.com/'],
  ['YOUTUBE', 'youtube.com/@'],
  ['TIKTOK', 'tiktok.com/@'],
  ['TWITTER', 'twitter.com/'],
  ['VK', 'vk.com/'],
  ['OK', 'ok.ru/'],
]

/** Unique sources, in the form in which an import stores them. */
export function makeSources(dice: Dice, count: number): Source[] {
  const sources = new Map<string, Source>()
  while (sources.size < count) {
    const [platform, address] = dice.pick(ADDRESSES)
    const number = dice.chance(0.7) ? `_${1 + dice.below(99)}` : ''
    const source = readAddress(`${address}${dice.pick(PLACES)}_${dice.pick(TOPICS)}${number}`, platform)
    if (typeof source !== 'string') sources.set(source.url, { ...source, country: dice.pick(COUNTRIES) })
  }
  return [...sources.values()]
}
