import type { Platform } from '@watchdesk/contract/enums'
import { Help, HelpColumns, Template } from '../../ui/page/help.tsx'

/** What a source of each platform is, and a sample URL. */
const SOURCES: Record<Platform, { kind: string; example: string }> = {
  TELEGRAM: { kind: 'Telegram channel', example: 'https://t.me/example' },
  OK: { kind: 'group or profile on OK', example: 'https://ok.ru/example' },
  VK: { kind: 'group or profile on VK', example: 'https://vk.com/example' },
  TWITTER: { kind: 'Twitter profile', example: 'https://x.com/example' },
  WEB: { kind: 'website, or of a part of it', example: 'https://www.example.com/news' },
  FACEBOOK: { kind: 'Facebook page, group or profile', example: 'https://www.facebook.com/example' },
  ADMIXER: { kind: 'website with ads from Admixer', example: 'https://www.example.com/ads' },
  YOUTUBE: { kind: 'YouTube channel', example: 'https://www.youtube.com/@example' },
  TIKTOK: { kind: 'TikTok profile', example: 'https://www.tiktok.com/@example' },
}
const ANY_SOURCE = { kind: 'channel, page or profile', example: SOURCES.TELEGRAM.example }
const COUNTRY = 'Ukraine'

export function SourceManagementHelp({ platform }: { platform: Platform | null }) {
  const { kind, example } = platform ? SOURCES[platform] : ANY_SOURCE
  const columns = {
    source_url: { about: `The URL of a ${kind}, such as ${example}`, kind: 'required' },
    source_country: { about: `The name or code of a country, such as ${COUNTRY} or UA`, kind: 'optional' },
  } as const
  return (
    <Help title="How it works">
      <p>
        <strong>Export sources</strong> writes all sources of the platform to a new sheet.
      </p>
      <p>
        <strong>Import sources</strong> reads the platform’s sheet. New sources are added and changed countries are
        updated. Nothing is deleted, and invalid rows are skipped.
      </p>
      <p>The first row of the sheet holds the column names, in any order and in upper or lower case:</p>
      <HelpColumns columns={columns} />
      <Template file="sources-template.csv" rows={[Object.keys(columns), [example, COUNTRY]]} />
    </Help>
  )
}
