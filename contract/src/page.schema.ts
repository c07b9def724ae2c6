import { z } from 'zod'
import { digits, Id, text } from './fields.schema.ts'
import { LENGTH, MAX_ID, MAX_PAGE_SIZE } from './limits.ts'

/** The query of a list: paged, and for most also searched and sorted. Every key may be left out. */
export const PageQuery = z.strictObject({
  page: digits(z.int().min(1).max(MAX_ID)).optional(),
  page_size: digits(z.int().min(1).max(MAX_PAGE_SIZE)).optional(),
})

export const search = text(LENGTH.name).optional()

/** `name` sorts upwards, `-name` downwards. */
export function sort<const Field extends string>(fields: readonly [Field, ...Field[]]) {
  const both = fields.flatMap((field) => [field, `-${field}`] as const)
  return z.enum(both as [Field, `-${Field}`]).optional()
}

/** Ids repeated (`ids=1&ids=2`) or separated by commas (`ids=1,2`). */
export const IdList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().join(',').split(','))
  .pipe(z.array(digits(Id)).max(1000))
  .optional()

/** A time in a query: a day, or a moment with its time zone. Written anew in UTC: databases know fewer zones and years. */
export const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .overwrite((value) => new Date(value).toISOString())
  .refine((value) => value >= '0001', 'Must be a time in the years 1 to 9999.')
  .optional()

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ objects: z.array(item), total: z.int(), size: z.int() })
}

export type PageQuery = z.output<typeof PageQuery>
