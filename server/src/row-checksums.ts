import { hash } from 'node:crypto'
import type { Platform } from '@watchdesk/contract/enums'

/**
 * The numbers of all rows are added up; a million of them stay below the largest exact number. PostgreSQL computes the same
 * with `checksumIn`. Not there, so that workers do not load Kysely.
 */
function checksumOf(row: string) {
  return Number.parseInt(hash('md5', row).slice(0, 8), 16)
}

type Source = { platform: Platform; url: string; country: string | null | undefined }

/** In SQL, it is `SOURCE_CHECKSUM`. */
export function sourceChecksum({ platform, url, country }: Source) {
  return checksumOf(`${platform} ${url} ${country ?? ''}`)
}

type Story = { narrative_id: number; message_composite_id: string; story: string }

/** In SQL, it is `storyChecksumIn`. */
export function storyChecksum({ narrative_id, message_composite_id: id, story }: Story) {
  // PostgreSQL counts code points.
  const length = /[\ud800-\udbff]/.test(id) ? [...id].length : id.length
  return checksumOf(`${length}:${id}${story}`) + narrative_id
}
