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
/** How long someone has for the second factor, or for the sign-in at another provider. */
export const PENDING_SIGN_IN_MINUTES = 10
export const INVITATION_HOURS = 72
export const PASSWORD_LINK_MINUTES = 60
export const SIGN_IN_LINK_MINUTES = 10
export const RECOVERY_CODES = 10
export const PASSKEYS_PER_USER = 20
export const TOKENS_PER_USER = 50
export const TOKEN_MAX_DAYS = 366
export const TOKEN_PREFIX = 'wdk_'
/** The maximum number of characters in the answer of a passkey, as JSON. */
export const PASSKEY_ANSWER_LENGTH = 20_000

/** The maximum number of sheet rows returned by one call. */
export const SHEET_ROWS_AT_ONCE = 500

/** The maximum number of rows of an import returned by one call. */
export const OPERATION_ROWS_AT_ONCE = 500
/** The maximum number of addresses that are looked up by one call. */
export const FOUND_AT_ONCE = 10_000
/** The maximum number of records that are changed by their ids; more are changed by a filter. */
export const CHANGED_AT_ONCE = 1000
/** The maximum number of embed links that are checked by one call, and the time for each. */
export const LINKS_AT_ONCE = 5
export const LINK_CHECK_MS = 5000
/** The maximum number of workspaces that a dashboard is attached to, or detached from, by one call. */
export const WORKSPACES_AT_ONCE = 1000
/** The maximum number of rows of an import of users. Their passwords are hashed, which is slow on purpose. */
export const USERS_IN_AN_IMPORT = 1000
/** The maximum number of rows of an import of users that one call sends. */
export const USERS_IN_A_CALL = 20
/** Imports, undos and changes of more rows run in the background. */
export const ROWS_IN_A_CALL = 20_000
/** Stories files that are larger are imported in the background. */
export const STORIES_BYTES_IN_A_CALL = 8 * 1024 ** 2
/** The maximum number of unfinished jobs of one person. */
export const JOBS_PER_PERSON = 20
/** How many records a preview of a change of many lists in one call. */
export const BULK_RECORDS_AT_ONCE = 100
/** The maximum number of rows that an undo lists because they changed since. */
export const CHANGED_ROWS_LISTED = 200

/** The maximum number of audit events returned by one call. */
export const EVENTS_AT_ONCE = 100

/** How long deleted records can be restored. */
export const DAYS_IN_BIN = 30
/** The maximum number of deleted records restored by one call. */
export const RESTORED_AT_ONCE = 100
/** The maximum number of users of a deleted workspace that are listed, or get a new email, because theirs is taken. */
export const CLASHES_AT_ONCE = 1000

/** The maximum number of rows in a file, the same as in a spreadsheet. */
export const MAX_ROWS = 1_048_576
/** The maximum number of columns in a file, the same as in a spreadsheet. */
export const MAX_COLUMNS = 16_384

/** The maximum number of characters in a row of a file. */
export const MAX_ROW_LENGTH = 4_000_000

export const MISMATCHING_ROWS_LISTED = 10

export const TIMEOUT_MS = {
  sources: 120_000,
  stories: 300_000,
  vectorization: 30_000,
  preview: 30_000,
  undo: 300_000,
} as const

/** The maximum length of each kind of text field. */
export const LENGTH = {
  name: 200,
  email: 254,
  description: 2_000,
  link: 2_000,
  setting: 500,
  config: 10_000,
  /** The name of a file in most file systems. */
  file: 255,
  /** A country name in a spreadsheet, with combining accents counted separately. */
  country: 100,
  /** The maximum length of a host name in DNS. */
  host: 253,
  /** The row numbers of a file: those of `ROWS_IN_A_CALL` rows, with a gap before each. */
  rows: 200_000,
} as const
/** The maximum number of entries of a list in a body. */
export const LIST_LENGTH = 500
/** The maximum nesting depth of a JSON body. */
export const JSON_DEPTH = 20
export const MAX_ID = 2_147_483_647
export const MAX_QUOTA = 1_000_000_000_000
/** The maximum number of days that a trial is extended by at once. */
export const MAX_TRIAL_DAYS = 3650

/** The platforms whose sources can be imported from a file or a spreadsheet. */
export const IMPORTABLE_PLATFORMS = [
  'TELEGRAM',
  'FACEBOOK',
  'TWITTER',
  'TIKTOK',
  'YOUTUBE',
] as const satisfies Platform[]

/** The text columns of a stories file. */
export const STORY_LENGTH = { message_composite_id: 1_000, story: 100_000 } as const
