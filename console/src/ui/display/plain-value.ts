/** How the screens of a feature name a field, by its path in the form and in the API, and show a value of it. */
export type FieldTexts = {
  labelOf: (path: string) => string
  showValue: (path: string, value: unknown, nameOf?: NameOf) => string
  /** What was set of many records, if it is not said as 'changed the … of'. */
  bulkSentence?: (path: string, value: string) => BulkSentence | undefined
}

export type BulkSentence = [before: string, after: string]

/** The name for an id or a key, such as the workspace of a user. Undefined if it is not known. */
export type NameOf = (path: string, value: unknown) => string | undefined

/** A value as text. Empty values are a dash. */
export function plainValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(plainValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A field name of the API as a label: 'sent_at' becomes 'Sent at'. */
export function labelFromName(name: string) {
  const words = name
    .split(/[\s_.-]+/)
    .join(' ')
    .trim()
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1)
}
