export const PLATFORMS = ['TELEGRAM', 'OK', 'VK', 'TWITTER', 'WEB', 'FACEBOOK', 'ADMIXER', 'YOUTUBE', 'TIKTOK'] as const
export const CONTENT_TYPES = ['POST', 'ARTICLE', 'MESSAGE', 'COMMENT', 'VIDEO', 'REPOST', 'AD'] as const
export const USER_TYPES = ['UNDERPRIVILEGED', 'STANDARD', 'MODERATOR'] as const
/** The empty string means automatic detection. */
export const LANGUAGES = ['EN', 'UK', ''] as const
export const WORKSPACE_STATUSES = [
  'INTERNAL',
  'DEACTIVATED',
  'TRIAL',
  'FREE_ACCESS',
  'PAID_CLIENT',
  'PAID_CLIENT_UCBI',
  'PAID_CLIENT_I3',
] as const

export type Platform = (typeof PLATFORMS)[number]
export type ContentType = (typeof CONTENT_TYPES)[number]
export type Language = (typeof LANGUAGES)[number]
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number]
