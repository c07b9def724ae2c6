import type { Platform } from '@watchdesk/contract/enums'
import { readAddress, type Source } from '@watchdesk/contract/source-row'
import type { Dice } from './demo-data.ts'

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
