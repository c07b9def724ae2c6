import { TIMEOUT_MS } from './limits.ts'

/** The file types of downloaded tables. */
export const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** The options of an endpoint that returns a table as a file. */
export const TABLE_FILE = {
  is_expensive: true,
  timeout_ms: TIMEOUT_MS.stories,
  response_types: Object.values(FILE_TYPES),
} as const
