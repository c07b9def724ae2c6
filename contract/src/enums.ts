import { z } from 'zod'

export const Platform = z.enum(['TELEGRAM', 'OK', 'VK', 'TWITTER', 'WEB', 'FACEBOOK', 'ADMIXER', 'YOUTUBE', 'TIKTOK'])
export const ContentType = z.enum(['POST', 'ARTICLE', 'MESSAGE', 'COMMENT', 'VIDEO', 'REPOST', 'AD'])
export const UserType = z.enum(['UNDERPRIVILEGED', 'STANDARD', 'MODERATOR'])
/** The empty string means: detect automatically. */
export const Language = z.enum(['EN', 'UK', ''])
export const WorkspaceStatus = z.enum([
  'INTERNAL',
  'DEACTIVATED',
  'TRIAL',
  'FREE_ACCESS',
  'PAID_CLIENT',
  'PAID_CLIENT_UCBI',
  'PAID_CLIENT_I3',
])

export type Platform = z.infer<typeof Platform>
export type ContentType = z.infer<typeof ContentType>
export type UserType = z.infer<typeof UserType>
export type Language = z.infer<typeof Language>
export type WorkspaceStatus = z.infer<typeof WorkspaceStatus>
