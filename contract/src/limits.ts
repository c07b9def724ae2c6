import type { Platform } from './enums.ts'

export const PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100
export const USER_FORM_WORKSPACES = 100
export const PAGINATION = { range: 3, margin: 1 } as const

export const SIMILARITY = { min: 0, max: 1, step: 0.05 } as const

export const GENERATED_PASSWORD_LENGTH = 17
export const GENERATED_PASSWORD_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*()'
export const PASSWORD_MAX_BYTES = 1024

/** The most rows of a sheet that one call reads. */
export const SHEET_ROWS_AT_ONCE = 500

/** The most rows of a file, as many as a spreadsheet can have. */
export const MAX_ROWS = 1_048_576

/** The most characters of one row of a file. */
export const MAX_ROW_LENGTH = 4_000_000

export const MISMATCHING_ROWS_LISTED = 10

export const TIMEOUT_MS = {
  sources: 120_000,
  stories: 300_000,
  vectorization: 30_000,
} as const

/** The longest text that each kind of field takes. */
export const LENGTH = {
  name: 200,
  email: 254,
  description: 2_000,
  link: 2_000,
  setting: 500,
  config: 10_000,
  /** Of a country's name in a spreadsheet, its accents counted on their own. */
  country: 100,
  /** Of a host name, as DNS has it. */
  host: 253,
} as const
/** The most entries that a list in a body takes. */
export const LIST_LENGTH = 500
/** How deep the JSON of a body may be nested. */
export const JSON_DEPTH = 20
export const MAX_ID = 2_147_483_647
export const MAX_QUOTA = 1_000_000_000_000

/** The platforms whose sources can be imported from a file or a spreadsheet. */
export const IMPORTABLE_PLATFORMS = [
  'TELEGRAM',
  'FACEBOOK',
  'TWITTER',
  'TIKTOK',
  'YOUTUBE',
] as const satisfies Platform[]

/** The texts of a row of a stories file. */
export const STORY_LENGTH = { message_composite_id: 1_000, story: 100_000 } as const
