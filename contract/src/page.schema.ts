import { z } from 'zod'
import { digits, Id, text } from './fields.schema.ts'
import { LENGTH, MAX_ID, MAX_PAGE_SIZE } from './limits.ts'
import type { ListOptions, ListQuery } from './list.ts'

/** All query parameters of a list are optional. */
export const PageQuery = z.strictObject({
  page: digits(z.int().min(1).max(MAX_ID)).optional(),
  page_size: digits(z.int().min(1).max(MAX_PAGE_SIZE)).optional(),
})

/** Ids repeated (`ids=1&ids=2`) or separated by commas (`ids=1,2`). */
export const IdList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().join(',').split(','))
  .pipe(z.array(digits(Id)).max(1000))
  .optional()

/** The query schema of a list, derived from its options. */
export function listQuery<List extends ListOptions>(list: List): z.ZodType<ListQuery<List>>
export function listQuery({ search, sorts, byWorkspace, filters = {} }: ListOptions) {
  const chosen = Object.entries(filters).map(([name, { options }]) => [name, z.enum(Object.keys(options)).optional()])
  return PageQuery.extend({
    ...(byWorkspace && { workspace_ids: IdList }),
    ...(search && { search: text(LENGTH.name).optional() }),
    ...(sorts && { sort: z.enum(sorts.flatMap((field) => [field, `-${field}`])).optional() }),
    ...Object.fromEntries(chosen),
  })
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ objects: z.array(item), total: z.int(), size: z.int() })
}

export type PageQuery = z.output<typeof PageQuery>
