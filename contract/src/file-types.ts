import { TIMEOUT_MS } from './limits.ts'

export const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

export const TABLE_FILE = {
  is_expensive: true,
  timeout_ms: TIMEOUT_MS.stories,
  response_types: Object.values(FILE_TYPES),
} as const
