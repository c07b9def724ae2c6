import { hash } from 'node:crypto'
import type { Platform } from '@watchdesk/contract/enums'

/**
 * A number for a row. The numbers of all rows are added up, so their order does not matter, and a million of them stay
 * below the largest exact number. PostgreSQL computes the same with `checksumIn`.
 *
 * Workers compute them. They load nothing else of what queries need: that would take longer than most files do.
 */
function checksumOf(row: string) {
  return Number.parseInt(hash('md5', row).slice(0, 8), 16)
}

type Source = { platform: Platform; url: string; country: string | null | undefined }

/** What is compared after an import: see `db/checksum.ts`. In SQL, it is `SOURCE_CHECKSUM`. */
export function sourceChecksum({ platform, url, country }: Source) {
  return checksumOf(`${platform} ${url} ${country ?? ''}`)
}

type Story = { narrative_id: number; message_composite_id: string; story: string }

/** The same for a story. In SQL, it is `storyChecksumIn`. */
export function storyChecksum({ narrative_id, message_composite_id: id, story }: Story) {
  // PostgreSQL counts code points.
  const length = /[\ud800-\udbff]/.test(id) ? [...id].length : id.length
  return checksumOf(`${length}:${id}${story}`) + narrative_id
}
