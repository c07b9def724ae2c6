import type { Platform } from './enums.ts'

export const PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100
export const USER_FORM_WORKSPACES = 100
export const PAGINATION = { range: 3, margin: 1 } as const

export const SIMILARITY = { min: 0, max: 1, step: 0.05 } as const

export const GENERATED_PASSWORD_LENGTH = 17
export const GENERATED_PASSWORD_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*()'
export const PASSWORD_MAX_BYTES = 1024
/** The lowest that the setting of the server can be. */
export const PASSWORD_MIN_LENGTH = 8

/** Dangerous actions need a sign-in that is not older. */
export const SIGN_IN_AGAIN_MINUTES = 15
export const PENDING_SIGN_IN_MINUTES = 10
export const INVITATION_HOURS = 72
export const PASSWORD_LINK_MINUTES = 60
export const SIGN_IN_LINK_MINUTES = 10
export const RECOVERY_CODES = 10
export const PASSKEYS_PER_USER = 20
export const TOKENS_PER_USER = 50
export const TOKEN_MAX_DAYS = 366
export const TOKEN_PREFIX = 'wdk_'
/** As JSON. */
export const PASSKEY_ANSWER_LENGTH = 20_000

/** `AT_ONCE` and `IN_A_CALL`: the most that one call takes or returns. */
export const ROWS_AT_ONCE = 500
export const EVENTS_AT_ONCE = 100
export const BULK_RECORDS_AT_ONCE = 100
/** Addresses that are looked up. */
export const FOUND_AT_ONCE = 10_000
/** Records by their ids; more are changed by a filter. */
export const CHANGED_AT_ONCE = 1000
export const LINKS_AT_ONCE = 5
export const SIMILAR_STORIES_AT_ONCE = 100
export const LINK_CHECK_MS = 5000
/** Those that a dashboard is attached to, or detached from. */
export const WORKSPACES_AT_ONCE = 1000
/** Their passwords are hashed, which is slow on purpose. */
export const USERS_IN_AN_IMPORT = 1000
export const USERS_IN_A_CALL = 20
/** Imports, undos and changes of more rows run in the background, and larger stories files. */
export const ROWS_IN_A_CALL = 20_000
export const STORIES_BYTES_IN_A_CALL = 8 * 1024 ** 2
export const JOBS_PER_PERSON = 20
/** Rows that an undo lists because they changed since. */
export const CHANGED_ROWS_LISTED = 200

export const DAYS_IN_BIN = 30
export const RESTORED_AT_ONCE = 100
/** Users of a deleted workspace that are listed, or get a new email, because theirs is taken. */
export const CLASHES_AT_ONCE = 1000

/** The same as in a spreadsheet. */
export const MAX_ROWS = 1_048_576
export const MAX_COLUMNS = 16_384

/** In characters. */
export const MAX_ROW_LENGTH = 4_000_000

export const MISMATCHING_ROWS_LISTED = 10

export const TIMEOUT_MS = {
  sources: 120_000,
  stories: 300_000,
  vectorization: 30_000,
  preview: 30_000,
  undo: 300_000,
} as const

export const LENGTH = {
  name: 200,
  email: 254,
  description: 2_000,
  link: 2_000,
  setting: 500,
  config: 10_000,
  file_name: 255,
  /** Combining accents count separately. */
  country: 100,
  /** The limit of DNS. */
  host: 253,
  /** The row numbers of a file: those of `ROWS_IN_A_CALL` rows, with a gap before each. */
  rows: 200_000,
} as const
export const LIST_LENGTH = 500
export const JSON_DEPTH = 20
export const MAX_ID = 2_147_483_647
export const MAX_QUOTA = 1_000_000_000_000
export const MAX_TRIAL_DAYS = 3650

export const IMPORTABLE_PLATFORMS: readonly Platform[] = ['TELEGRAM', 'FACEBOOK', 'TWITTER', 'TIKTOK', 'YOUTUBE']

export const STORY_LENGTH = { message_composite_id: 1_000, story: 100_000 } as const
