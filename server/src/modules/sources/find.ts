import { setImmediate as otherWork } from 'node:timers/promises'
import type { Platform } from '@watchdesk/contract/enums'
import { readAddress } from '@watchdesk/contract/source-row'
import type { FoundAddress, FoundAddresses } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Read } from '../../db/read.ts'

/** Other calls go on after so many addresses, which may be long and difficult. */
const READ_AT_ONCE = 50

/** The platforms that an address can be of, if its host is of none that can be imported. The last ones have any host. */
const OTHERS: Platform[] = ['VK', 'OK', 'WEB', 'ADMIXER']
const ANY_HOST: readonly Platform[] = ['WEB', 'ADMIXER']

type Address = { platform: Platform; url: string }
type Known = { at: number; id: number; platform: Platform; url: string; country: string | null; is_deleted: boolean }

export async function findSources(read: Read, written: string[]): Promise<FoundAddresses> {
  const addresses: ReturnType<typeof addressesIn>[] = []
  for (const [at, text] of written.entries()) {
    if (at % READ_AT_ONCE === 0) await otherWork()
    addresses.push(addressesIn(text))
  }
  const wanted = addresses.flatMap((each, at) => (typeof each === 'string' ? [] : each.map((one) => ({ at, ...one }))))
  const known = new Map<number, Known>()
  for (const row of await lookUp(read, wanted)) {
    // Of several with the same address, a monitored one counts.
    if (!known.has(row.at) || known.get(row.at)?.is_deleted) known.set(row.at, row)
  }
  const seen = new Set<string>()
  const objects = written.map((text, at): FoundAddress => {
    const address = addresses[at] ?? 'invalid URL'
    const one = known.get(at) ?? (typeof address === 'string' ? undefined : address[0])
    if (!one) return { written: text, source: null, outcome: address as 'invalid URL' }
    const { outcome, source } = outcomeOf(one)
    const key = `${one.platform} ${one.url}`
    if (seen.has(key)) return { written: text, source, outcome: 'repeated' }
    if (source) seen.add(key)
    return { written: text, source, outcome }
  })
  const counts: FoundAddresses['counts'] = {}
  for (const { outcome } of objects) counts[outcome] = (counts[outcome] ?? 0) + 1
  return { objects, counts }
}

const WRITTEN_AT_ONCE = 500

/** The response in parts: writing it at once would take longer than anything else. */
export async function* jsonOf({ objects, counts }: FoundAddresses) {
  yield `{"counts":${JSON.stringify(counts)},"objects":[`
  for (let at = 0; at < objects.length; at += WRITTEN_AT_ONCE) {
    const part = objects.slice(at, at + WRITTEN_AT_ONCE).map((object) => JSON.stringify(object))
    yield `${at > 0 ? ',' : ''}${part.join(',')}`
    await otherWork()
  }
  yield ']}'
}

/** The addresses that the text can be stored as, or why it is none. */
function addressesIn(text: string): Address[] | 'invalid URL' | 'unsupported platform' {
  const importable = readAddress(text)
  if (importable !== 'unsupported platform') return typeof importable === 'string' ? importable : [importable]
  const others = OTHERS.map((platform) => readAddress(text, platform)).filter((each) => typeof each === 'object')
  const ofHost = others.filter(({ platform }) => !ANY_HOST.includes(platform))
  return ofHost.length > 0 ? ofHost : others
}

function outcomeOf(one: Known | Address): Pick<FoundAddress, 'outcome' | 'source'> {
  const { platform, url } = one
  if ('id' in one) {
    const source = { id: one.id, platform, url, country: one.country }
    return { outcome: one.is_deleted ? 'removed' : 'monitored', source }
  }
  // A page on any host can be monitored, but which platform it would be of is not known.
  if (ANY_HOST.includes(platform)) return { outcome: 'unsupported platform', source: null }
  return { outcome: 'not monitored', source: { id: null, platform, url, country: null } }
}

function lookUp(read: Read, wanted: (Address & { at: number })[]) {
  const all = <Field extends 'at' | 'platform' | 'url'>(field: Field) => wanted.map((each) => each[field])
  return read(
    sql<Known>`select wanted.at, sources.id, sources.platform, sources.url, sources.country,
        sources.deleted_at is not null as is_deleted
      from unnest(${all('at')}::int[], ${all('platform')}::text[], ${all('url')}::text[]) as wanted (at, platform, url)
      cross join lateral (select * from sources
        where sources.platform = wanted.platform and sources.url = wanted.url offset 0) as sources
      order by wanted.at, sources.id`,
    { isSearch: true },
  )
}
