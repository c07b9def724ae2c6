import type { ContentType, Platform } from '@watchdesk/contract/enums'
import { sql } from 'kysely'
import { digestOf } from '../db/checksum.ts'
import type { SystemDb } from '../db/open.ts'
import type { Dice } from './demo-data.ts'
import { CLAIMS, FRAMES, type Language } from './demo-narratives.ts'

const PLATFORMS: readonly [Platform, ...Platform[]] = ['TELEGRAM', 'TELEGRAM', 'FACEBOOK', 'VK', 'TWITTER', 'TIKTOK']
const CONTENT_TYPES: readonly [ContentType, ...ContentType[]] = ['POST', 'POST', 'MESSAGE', 'COMMENT', 'REPOST']
const LANGUAGES: readonly [Language, ...Language[]] = ['uk', 'uk', 'ru', 'en']

const STORIES_EACH = 60
const OLDEST_DAYS = 75

type DemoStory = {
  narrative_id: number
  message_composite_id: string
  story: string
  sentiment_score: number | null
  platform: Platform
  content_type: ContentType
}

/** Eight narratives with about sixty stories each, in three languages, no two worded the same. */
export function makeStories(dice: Dice): DemoStory[] {
  return CLAIMS.flatMap((claims, index) => {
    const texts = new Set<string>()
    while (texts.size < STORIES_EACH) texts.add(composeStory(dice, claims))
    return [...texts].map((story, number) => {
      const [platform, content_type] = [dice.pick(PLATFORMS), dice.pick(CONTENT_TYPES)]
      return {
        narrative_id: index + 1,
        message_composite_id: `${platform}:${content_type}:${1000 * (index + 1) + number}`.toLowerCase(),
        story,
        sentiment_score: dice.chance(0.2) ? null : -dice.below(100) / 100,
        platform,
        content_type,
      }
    })
  })
}

function composeStory(dice: Dice, claims: (typeof CLAIMS)[number]) {
  const language = dice.pick(LANGUAGES)
  const { openings, places, sources, endings } = FRAMES[language]
  const claim = dice.pick(claims[language])
  const statement = claim.replace('{place}', dice.pick(places)).replace('{number}', String(2 + dice.below(97)))
  return `${dice.pick(openings)} ${statement} ${dice.pick(sources)} ${dice.pick(endings)}`
}

/** With the same digest as an import, so that importing them again changes nothing. */
export async function insertStories(trx: SystemDb, stories: DemoStory[]) {
  const ids = [...new Set(stories.map(({ narrative_id }) => narrative_id))]
  await trx
    .insertInto('narratives')
    .values(ids.map((id) => ({ id, created_by: null })))
    .execute()
  const rows = stories.map((story, index) => ({
    ...story,
    created_at: sql<Date>`now() - make_interval(days => ${Math.floor(OLDEST_DAYS * (1 - (index + 1) / stories.length))}::int)`,
    digest: digestOf(sql`${story.message_composite_id}::text`, sql`${story.story}::text`),
  }))
  await trx.insertInto('stories').values(rows).execute()
}
