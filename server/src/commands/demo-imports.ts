import type { Platform } from '@watchdesk/contract/enums'
import { NOTHING_TO_IMPORT, RESULT_COLUMNS, readAddress, type Source } from '@watchdesk/contract/source-row'
import type { Trx } from '../db/open.ts'
import { countOutcomes } from '../db/row-sets.ts'
import { saveFewRows } from '../modules/operations/record.ts'
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

const WRONG = [
  ['t.me', 'Ukraine', '', 'invalid URL'],
  ['telegram channel of the city', 'Ukraine', '', 'invalid URL'],
  ['https://instagram.com/kyiv_live', 'Ukraine', '', 'unsupported platform'],
  ['https://t.me/lviv_forum_today', 'Ukarine', '', 'unknown country'],
  ['https://facebook.com/odesa.region', 'Lituania', '', 'unknown country'],
]

export async function importSources(trx: Trx, dice: Dice, sources: Source[], people: Person[]) {
  const inFiles = sources.filter(({ platform }) => !IMPORTS.some((sample) => sample.platform === platform))
  for (const [index, sample] of IMPORTS.entries()) {
    const { platform, count = inFiles.length } = sample
    const part = platform ? sources.filter((source) => source.platform === platform) : inFiles.splice(0, count)
    await importPart(trx, dice, sample, part, people[index % people.length])
  }
}

async function importPart(trx: Trx, dice: Dice, sample: SampleImport, part: Source[], person?: Person) {
  const { days, name, platform, error, wrong = 0 } = sample
  const header = platform ? SHEET_COLUMNS : [...RESULT_COLUMNS]
  const written = part.map((source) => {
    const cells = [source.url, source.country ?? '']
    return platform ? [...cells, 'added'] : [...cells, source.platform, 'requested']
  })
  for (let count = 0; count < wrong; count += 1) written.splice(dice.below(written.length), 0, dice.pick(WRONG))
  const rows = written.map((cells, index) => [String(index + 2), ...cells])
  const counts = countOutcomes(rows, header.length - 1)

  const created_at = daysAgo(days)
  created_at.setUTCHours(8 + dice.below(8), dice.below(60))
  const finished_at = new Date(created_at.getTime() + 1400)
  const created_by = person?.id ?? null
  const result = error
    ? { state: 'failed' as const, error }
    : {
        state: 'done' as const,
        counts: JSON.stringify(counts),
        rows_id: await saveFewRows(trx, { header, rows, counts }),
        verification: verificationOf(part, finished_at),
      }
  const { id } = await trx
    .insertInto('operations')
    .values({
      ...(platform
        ? { kind: 'platform_import', platform }
        : { kind: 'source_import', name, bytes: rows.join().length || 18_204 }),
      ...result,
      created_at,
      created_by,
      created_by_name: person?.full_name ?? null,
      started_at: created_at,
      finished_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const about = { import_id: id, created_at, updated_at: created_at, created_by, updated_by: created_by }
  const sources = part.map((source) => ({ ...source, ...about }))
  if (sources.length > 0) await trx.insertInto('sources').values(sources).execute()
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

/** Besides Telegram, where most sources are. */
const ADDRESSES: [Platform, string][] = [
  ['FACEBOOK', 'facebook.com/'],
  ['YOUTUBE', 'youtube.com/@'],
  ['TIKTOK', 'tiktok.com/@'],
  ['TWITTER', 'twitter.com/'],
  ['VK', 'vk.com/'],
  ['OK', 'ok.ru/'],
]

export function makeSources(dice: Dice, count: number): Source[] {
  const sources = new Map<string, Source>()
  while (sources.size < count) {
    const [platform, address] = dice.chance(0.3) ? (['TELEGRAM', 't.me/'] as const) : dice.pick(ADDRESSES)
    const number = dice.chance(0.7) ? `_${1 + dice.below(99)}` : ''
    const source = readAddress(`${address}${dice.pick(PLACES)}_${dice.pick(TOPICS)}${number}`, platform)
    if (typeof source !== 'string') sources.set(source.url, { ...source, country: dice.pick(COUNTRIES) })
  }
  return [...sources.values()]
}
