import { randomUUID } from 'node:crypto'
import type { Platform } from '@watchdesk/contract/enums'
import { sql } from 'kysely'
import type { Watchdesk } from './watchdesk.ts'

type Values = {
  platform?: Platform
  url?: string
  country?: string | null
  created_at?: string
  import_id?: number
  deleted_at?: string
}

/** A source with these values, and otherwise any. */
export async function insertSource({ database }: Pick<Watchdesk, 'database'>, values: Values = {}) {
  const { platform = 'TELEGRAM', url = `https://t.me/${randomUUID()}`, country = null } = values
  const { rows } = await sql<{
    id: number
  }>`insert into sources (platform, url, country, import_id, created_at, deleted_at)
    values (${platform}, ${url}, ${country}, ${values.import_id ?? null}, coalesce(${values.created_at ?? null}::timestamptz, now()),
      ${values.deleted_at ?? null}) returning id`.execute(database.db)
  return { id: rows[0]?.id ?? 0, platform, url, country }
}
