export type * from './errors.schema.ts'

export const SOMETHING_WENT_WRONG = 'Something went wrong'

/** The message to show for the body of a failed call, from our server or another backend. */
export function errorText(body: unknown): string {
  const detail = property(body, 'detail')
  if (typeof detail === 'string' && detail !== '') return detail
  if (!Array.isArray(detail)) return SOMETHING_WENT_WRONG
  const lines = detail.map((item) => property(item, 'msg')).filter((msg) => typeof msg === 'string')
  return lines.join('\n') || SOMETHING_WENT_WRONG
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
