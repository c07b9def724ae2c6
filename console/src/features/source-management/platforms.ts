import type { Platform } from '@watchdesk/contract/enums'

/** Every platform with what an address of it looks like. */
export const EXAMPLES: Record<Platform, string> = {
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

export const PLATFORMS = Object.keys(EXAMPLES) as Platform[]
