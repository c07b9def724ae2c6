import type { Platform } from '@watchdesk/contract/enums'
import { Help, HelpColumns, Template } from '../../ui/page/help.tsx'

/** A sample address for each platform. */
const EXAMPLES: Record<Platform, string> = {
  TELEGRAM: 'https://t.me/example',
  OK: 'https://ok.ru/example',
  VK: 'https://vk.com/example',
  TWITTER: 'https://x.com/example',
  WEB: 'https://www.example.com/news',
  FACEBOOK: 'https://www.facebook.com/example',
  ADMIXER: 'https://www.example.com/ads',
  YOUTUBE: 'https://www.youtube.com/@example',
  TIKTOK: 'https://www.tiktok.com/@example',
}
const COUNTRY = 'Ukraine'

export function SourceManagementHelp({ platform }: { platform: Platform | null }) {
  const example = EXAMPLES[platform ?? 'TELEGRAM']
  const columns = {
    source_url: { about: `An address of the platform, such as ${example}`, kind: 'required' },
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
      <p>The sheet needs these columns, in any order; upper or lower case does not matter:</p>
      <HelpColumns columns={columns} />
      <Template file="sources-template.csv" rows={[Object.keys(columns), [example, COUNTRY]]} />
    </Help>
  )
}
