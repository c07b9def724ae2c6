import { hash } from 'node:crypto'
import type { Platform } from '@watchdesk/contract/enums'

/** A million of them add up to an exact number. The same in SQL is in `db/checksum.ts`: workers must not load Kysely. */
function checksumOf(row: string) {
  return Number.parseInt(hash('md5', row).slice(0, 8), 16)
}

type Source = { platform: Platform; url: string; country: string | null | undefined }

export function sourceChecksum({ platform, url, country }: Source) {
  return checksumOf(`${platform} ${url} ${country ?? ''}`)
}

type Story = { narrative_id: number; message_composite_id: string; story: string }

export function storyChecksum({ narrative_id, message_composite_id: id, story }: Story) {
  // PostgreSQL counts code points.
  const length = /[\ud800-\udbff]/.test(id) ? [...id].length : id.length
  return checksumOf(`${length}:${id}${story}`) + narrative_id
}
