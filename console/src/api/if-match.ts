/** What a version is on the wire: a number that the entity carries, or an ETag taken from a header. */
export type Version = number | string | null | undefined

/** The header that keeps a write from overwriting what someone else saved meanwhile. Other backends may know no versions. */
export function ifMatch(version: Version): { 'if-match'?: string } {
  if (version === undefined || version === null) return {}
  return { 'if-match': typeof version === 'number' ? `"${version}"` : version }
}
