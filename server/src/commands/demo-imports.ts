import type { Platform } from '@watchdesk/contract/enums'
import { IMPORTABLE_PLATFORMS } from '@watchdesk/contract/limits'
import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import { NOTHING_TO_IMPORT, RESULT_COLUMNS, readAddress, type Source } from '@watchdesk/contract/source-row'
import { sql } from 'kysely'
import { SOURCE_CHECKSUM } from '../db/checksum.ts'
import { isoTime } from '../db/iso-time.ts'
import type { Trx } from '../db/open.ts'
import { countOutcomes } from '../db/row-sets.ts'
import { keepFewRows } from '../modules/operations/record.ts'
import type { Dice } from './demo-data.ts'

type Person = { id: number; full_name: string }

/** The files and sheets that the sources came from, with their share of them. */
const FILES: { name: string; days: number; share: number; wrong?: number }[] = [
  { name: 'sources-2026-q3.xlsx', days: 41, share: 0.45 },
  { name: 'telegram-regions.csv', days: 27, share: 0.25 },
  { name: 'channels from partners.csv', days: 16, share: 0.2, wrong: 38 },
  { name: 'baltic media.xlsx', days: 3, share: 0.1, wrong: 4 },
]
const FAILED = { name: 'contacts.csv', days: 9, error: NOTHING_TO_IMPORT.file.no_url_column }
const SHEETS = [
  { platform: 'VK', days: 34 },
  { platform: 'OK', days: 20 },
] as const
const SHEET_COLUMNS = ['row', 'source_url', 'source_country', 'outcome']

/** Rows of a file that could not be imported, and why. */
const WRONG: readonly [[url: string, country: string, outcome: string], ...[string, string, string][]] = [
  ['t.me', 'Ukraine', 'invalid URL'],
  ['telegram channel of the city', 'Ukraine', 'invalid URL'],
  ['https://instagram.com/kyiv_live', 'Ukraine', 'unsupported platform'],
  ['https://t.me/lviv_forum_today', 'Ukarine', 'unknown country'],
  ['https://facebook.com/odesa.region', 'Lituania', 'unknown country'],
]

/** Adds the sources as imports of several people over the last weeks, each with its rows. */
export async function importSources(trx: Trx, dice: Dice, sources: Source[], people: Person[]) {
  const personAt = (index: number) => people[index % people.length]
  const isInFiles = ({ platform }: Source) => (IMPORTABLE_PLATFORMS as readonly string[]).includes(platform)
  const inFiles = sources.filter(isInFiles)
  const samples: { days: number; insert: () => Promise<unknown> }[] = []
  let taken = 0
  for (const [index, { name, days, share, wrong = 0 }] of FILES.entries()) {
    const isLast = index === FILES.length - 1
    const part = inFiles.slice(taken, isLast ? undefined : taken + Math.round(inFiles.length * share))
    taken += part.length
    const rows = part.map(({ url, country, platform }) => [url, country ?? '', platform, 'requested'])
    for (let at = 0; at < wrong; at += 1) {
      const [url, country, outcome] = dice.pick(WRONG)
      rows.splice(dice.below(rows.length), 0, [url, country, '', outcome])
    }
    const bytes = rows.reduce((sum, row) => sum + row.join(',').length, 30)
    const about = { kind: 'source_import', name, bytes, days, person: personAt(index) } as const
    samples.push({ days, insert: () => record(trx, part, rows, about) })
  }
  for (const [index, { platform, days }] of SHEETS.entries()) {
    const part = sources.filter((source) => source.platform === platform)
    const rows = part.map(({ url, country }) => [url, country ?? '', 'added'])
    const about = { kind: 'platform_import', platform, days, person: personAt(index + 1) } as const
    samples.push({ days, insert: () => record(trx, part, rows, about) })
  }
  const { name, days, error } = FAILED
  const about = { kind: 'source_import', name, bytes: 18_204, days, person: personAt(0) } as const
  samples.push({ days, insert: () => insertImport(trx, about, { state: 'failed', error }) })
  // The list shows the last one first, by id.
  for (const { insert } of samples.sort((a, b) => b.days - a.days)) await insert()
}

type SampleImport = {
  kind: OperationKindName
  name?: string
  bytes?: number
  platform?: Source['platform']
  days: number
  person: Person | undefined
}

async function record(trx: Trx, sources: Source[], rows: string[][], sample: SampleImport) {
  const header = sample.kind === 'source_import' ? [...RESULT_COLUMNS] : SHEET_COLUMNS
  const numbered = rows.map((row, index) => [String(index + 2), ...row])
  const counts = countOutcomes(numbered, header.indexOf('outcome'))
  const rows_id = await keepFewRows(trx, { header, rows: numbered, counts })
  const { id } = await insertImport(trx, sample, { state: 'done', counts: JSON.stringify(counts), rows_id })
  const by = sample.person?.id ?? null
  const time = timeOf(sample)
  const about = { import_id: id, created_at: time, updated_at: time, created_by: by, updated_by: by }
  await trx
    .insertInto('sources')
    .values(sources.map((source) => ({ ...source, ...about })))
    .execute()
  await sql`update operations set verification = (
      select jsonb_build_object('expected_count', count(*), 'stored_count', count(*), 'is_equal', true,
        'checksum', to_hex(sum(${SOURCE_CHECKSUM})::bigint),
        'at', ${isoTime(sql`operations.finished_at`)})
      from sources where import_id = operations.id)
    where id = ${id}`.execute(trx)
}

type ImportOutcome = { state: 'done' | 'failed'; counts?: string; rows_id?: number; error?: string }

function insertImport(trx: Trx, sample: SampleImport, outcome: ImportOutcome) {
  const { days: _, person, ...values } = sample
  const time = timeOf(sample)
  return trx
    .insertInto('operations')
    .values({
      ...values,
      ...outcome,
      created_at: time,
      created_by: person?.id ?? null,
      created_by_name: person?.full_name ?? null,
      started_at: time,
      finished_at: sql<Date>`${time} + interval '1.4 seconds'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** In working hours of the day. */
function timeOf({ days, name = '' }: SampleImport) {
  return sql<Date>`date_trunc('day', now()) - make_interval(days => ${days}::int, mins => ${-600 - ((name.length * 17) % 300)}::int)`
}

const PLACES = [
  ...['kyiv', 'lviv', 'odesa', 'kharkiv', 'dnipro', 'poltava', 'rivne', 'sumy', 'lutsk', 'chernihiv'],
  ...['warsaw', 'vilnius', 'riga', 'tallinn', 'prague', 'berlin', 'chisinau', 'tbilisi', 'baltic', 'carpathian'],
] as const
const TOPICS = [
  ...['news', 'live', 'today', 'voice', 'watch', 'now', 'daily', 'chronicle', 'insider', 'forum'],
  ...['media', 'truth', 'alerts', 'economy', 'sport', 'region', 'city', 'events', 'people', 'talk'],
] as const
const COUNTRIES = ['UA', 'UA', 'UA', 'UA', 'PL', 'LT', 'LV', 'EE', 'CZ', 'DE', 'MD', 'GE', null] as const

/** URL patterns of each platform; common ones are listed more than once. */
const ADDRESSES: readonly [[Platform, string], ...[Platform, string][]] = [
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
    const name = [dice.pick(PLACES), dice.pick(TOPICS), ...(dice.chance(0.7) ? [1 + dice.below(99)] : [])].join('_')
    const source = readAddress(address + name, platform)
    if (typeof source !== 'string') sources.set(source.url, { ...source, country: dice.pick(COUNTRIES) })
  }
  return [...sources.values()]
}
