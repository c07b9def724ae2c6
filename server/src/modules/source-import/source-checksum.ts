import type { Platform } from '@watchdesk/contract/enums'
import { sql } from 'kysely'
import { checksumIn, checksumOf } from '../../db/checksum.ts'

type Source = { platform: Platform; url: string; country: string | null | undefined }

/** What is compared after an import: see `checksum.ts`. */
export function sourceChecksum({ platform, url, country }: Source) {
  return checksumOf(`${platform} ${url} ${country ?? ''}`)
}

/** The same number, from the columns of a table. */
export const SOURCE_CHECKSUM = checksumIn(sql`md5(platform || ' ' || url || ' ' || coalesce(country::text, ''))`)
