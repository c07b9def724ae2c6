import { recordOf, type Table } from './collector.ts'

const RECORDS_PER_PART = 5_000

/** The import request's body as JSON, built in parts: a large one would exceed the maximum string length. */
export function bodyOf(table: Table, email: string): Blob {
  const count = table.values.length
  const parts = [`{"email":${JSON.stringify(email)},"sheet_url":null,"sheet_records":[`]
  for (let start = 0; start < count; start += RECORDS_PER_PART) {
    const length = Math.min(RECORDS_PER_PART, count - start)
    const some = JSON.stringify(Array.from({ length }, (_, step) => recordOf(table, start + step)))
    parts.push(start === 0 ? some.slice(1, -1) : `,${some.slice(1, -1)}`)
  }
  return new Blob([...parts, ']}'], { type: 'application/json' })
}
