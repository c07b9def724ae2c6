import type { ContentType, Platform } from '@watchdesk/contract/enums'

/** The contract's lists, written out: its schemas would bring their library along. The types keep them whole. */
const platforms: Record<Platform, true> = {
  TELEGRAM: true,
  OK: true,
  VK: true,
  TWITTER: true,
  WEB: true,
  FACEBOOK: true,
  ADMIXER: true,
  YOUTUBE: true,
  TIKTOK: true,
}
const contentTypes: Record<ContentType, true> = {
  POST: true,
  ARTICLE: true,
  MESSAGE: true,
  COMMENT: true,
  VIDEO: true,
  REPOST: true,
  AD: true,
}

export const PLATFORMS = Object.keys(platforms)
export const CONTENT_TYPES = Object.keys(contentTypes)
