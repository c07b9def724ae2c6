/** A number from the entity, or an ETag from a header. */
export type Version = number | string | null | undefined

/** Prevents overwriting what someone else has saved meanwhile. Other backends may have no versions. */
export function ifMatch(version: Version): { 'if-match'?: string } {
  if (version === undefined || version === null) return {}
  return { 'if-match': typeof version === 'number' ? `"${version}"` : version }
}
