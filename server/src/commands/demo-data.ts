/** A small seeded generator instead of Math.random, so that the data is the same on every machine. */
export function createDice(seed: number) {
  let state = seed
  function roll() {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  function below(limit: number) {
    return Math.floor(roll() * limit)
  }
  return {
    below,
    chance: (probability: number) => roll() < probability,
    some: <Item>(items: readonly Item[], probability: number) => items.filter(() => roll() < probability),
    pick<Item>(items: readonly Item[]) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('There is nothing to pick from')
      return item
    },
  }
}

export type Dice = ReturnType<typeof createDice>

export function daysAgo(days: number) {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000)
}

export function words(text: string) {
  return text.trim().split(/\s+/)
}

export const FIRST_NAMES = words(`
  Olena Iryna Yulia Sofia Oksana Natalia Kateryna Daryna Larysa Halyna Taras Andrii Bohdan Mykola Petro Vasyl Danylo
  Yaroslav Ostap Roman Marcus Jonas Peter Daniel Lukas Erik Mats Henrik Tomas Piotr Grace Amara Sofie Ingrid Marta Elena
  Agnieszka Liina Aiste Chiara`)

export const LAST_NAMES = words(`
  Kovalenko Shevchuk Bondar Melnyk Tkachenko Kravets Lysenko Moroz Savchuk Hrytsenko Reed Lindqvist Okafor Marino Weiss
  Novak Kim Andersen Nowak Tamm Kazlauskas Berzins Virtanen Dubois Moreau Rossi Horvat Petrov Jansen Schmidt`)

const PLACES = words(`
  Baltic Nordic Harbor Civic Northwind Meridian Dnipro Carpathian Lakeside Summit Atlas Beacon Delta Ember Granite`)

export const WORKSPACE_NAMES = words('Media Analytics Newsroom Institute').flatMap((kind) =>
  PLACES.map((place) => `${place} ${kind}`),
)

export const DESCRIPTIONS = [
  'Regional newsroom network; daily narratives and case work.',
  'Research group on coordinated campaigns; weekly reports.',
  'Brand safety desk; alerts in English and Ukrainian.',
  'Public institution; follows health and election topics.',
  'Trial of the narrative search with a small team.',
  '',
]

export const DASHBOARDS = [
  ['Reach', 'How far monitored posts travel, by platform and week.'],
  ['Narrative growth', 'New stories for each narrative and their sentiment.'],
  ['Source activity', 'Posts for each monitored source, with quiet ones marked.'],
  ['Case load', 'Open and closed cases by type and team.'],
  ['Sentiment by country', 'Average sentiment of stories on a map.'],
  ['Telegram channels', 'Growth and forwarding between channels.'],
  ['Video platforms', 'Views and comments on YouTube and TikTok.'],
  ['Quota usage', 'Analytical and AI quotas against their limits.'],
  ['Response times', 'From alert to first action, by desk.'],
  ['Cross-posting', 'The same text on several platforms within a day.'],
  ['Election watch', null],
  ['Health topics', 'Claims about vaccines and treatments.'],
] as const
