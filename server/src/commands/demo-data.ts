import type { UserType, WorkspaceStatus } from '@watchdesk/contract/enums'

/** A small seeded generator instead of Math.random, so that the data is the same on every machine. */
export function createDice(seed: number) {
  let state = seed
  function roll() {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    below: (limit: number) => Math.floor(roll() * limit),
    chance: (probability: number) => roll() < probability,
    pick: <Item>(items: readonly [Item, ...Item[]]) => items[Math.floor(roll() * items.length)] ?? items[0],
    some: <Item>(items: readonly Item[], probability: number) => items.filter(() => roll() < probability),
  }
}

export type Dice = ReturnType<typeof createDice>

export const FIRST_NAMES = [
  ...['Olena', 'Iryna', 'Yulia', 'Sofia', 'Oksana', 'Natalia', 'Kateryna', 'Daryna', 'Larysa', 'Halyna'],
  ...['Taras', 'Andrii', 'Bohdan', 'Mykola', 'Petro', 'Vasyl', 'Danylo', 'Yaroslav', 'Ostap', 'Roman'],
  ...['Marcus', 'Jonas', 'Peter', 'Daniel', 'Lukas', 'Erik', 'Mats', 'Henrik', 'Tomas', 'Piotr'],
  ...['Grace', 'Amara', 'Sofie', 'Ingrid', 'Marta', 'Elena', 'Agnieszka', 'Liina', 'Aiste', 'Chiara'],
] as const

export const LAST_NAMES = [
  ...['Kovalenko', 'Shevchuk', 'Bondar', 'Melnyk', 'Tkachenko', 'Kravets', 'Lysenko', 'Moroz', 'Savchuk', 'Hrytsenko'],
  ...['Reed', 'Lindqvist', 'Okafor', 'Marino', 'Weiss', 'Novak', 'Kim', 'Andersen', 'Nowak', 'Tamm'],
  ...['Kazlauskas', 'Berzins', 'Virtanen', 'Dubois', 'Moreau', 'Rossi', 'Horvat', 'Petrov', 'Jansen', 'Schmidt'],
] as const

const PLACES = [
  ...['Baltic', 'Nordic', 'Harbor', 'Civic', 'Northwind', 'Meridian', 'Dnipro', 'Carpathian'],
  ...['Lakeside', 'Summit', 'Atlas', 'Beacon', 'Delta', 'Ember', 'Granite'],
] as const

const KINDS = ['Media', 'Analytics', 'Newsroom', 'Institute'] as const

export const WORKSPACE_NAMES = KINDS.flatMap((kind) => PLACES.map((place) => `${place} ${kind}`))

export const DESCRIPTIONS = [
  'Regional newsroom network; daily narratives and case work.',
  'Research group on coordinated campaigns; weekly reports.',
  'Brand safety desk; alerts in English and Ukrainian.',
  'Public institution; follows health and election topics.',
  'Trial of the narrative search with a small team.',
  '',
] as const

export const STATUSES: readonly [WorkspaceStatus | null, ...(WorkspaceStatus | null)[]] = [
  'PAID_CLIENT',
  'PAID_CLIENT',
  'PAID_CLIENT',
  'PAID_CLIENT_UCBI',
  'PAID_CLIENT_I3',
  'TRIAL',
  'TRIAL',
  'FREE_ACCESS',
  'DEACTIVATED',
  null,
]

export const USER_TYPES: readonly [UserType, ...UserType[]] = [
  'STANDARD',
  'STANDARD',
  'STANDARD',
  'STANDARD',
  'MODERATOR',
  'UNDERPRIVILEGED',
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
