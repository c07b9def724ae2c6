import { z } from 'zod'
import { count, digits, Id, text } from './fields.schema.ts'
import { LENGTH, MAX_ID, MAX_PAGE_SIZE, PAGE_SIZE } from './limits.ts'
import { FILTER_COUNTRY, type ListOptions, type ListQuery, type ValueFilter } from './list.ts'

/** All query parameters of a list are optional. */
export const PageQuery = z.strictObject({
  page: digits(z.int().min(1).max(MAX_ID))
    .optional()
    .meta({ description: 'Page number. Default: 1', examples: [1] }),
  page_size: digits(z.int().min(1).max(MAX_PAGE_SIZE))
    .optional()
    .meta({ description: `Number of rows per page. Default: ${PAGE_SIZE}`, examples: [PAGE_SIZE] }),
})

/** Ids repeated (`ids=1&ids=2`) or separated by commas (`ids=1,2`). */
export const IdList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().join(',').split(','))
  .pipe(z.array(digits(Id)).max(1000))
  .optional()

/** The values that a list can be filtered by. */
export const VALUES = {
  id: digits(Id),
  day: z.iso
    .date('Must be a date, such as 2026-11-17.')
    .refine((value) => value >= '0001', 'Must be a date in the years 1 to 9999.')
    .meta({ examples: ['2026-11-17'] }),
  country: z
    .string()
    .regex(FILTER_COUNTRY, 'Must be the two-letter code of a country, or none.')
    .meta({ examples: ['UA'] }),
} satisfies Record<ValueFilter['kind'], z.ZodType>

/** The query schema of a list, derived from its options. */
export function listQuery<List extends ListOptions>(list: List): z.ZodType<ListQuery<List>>
export function listQuery({ search, sorts, byWorkspace, filters = {}, values = {} }: ListOptions) {
  const chosen = Object.entries(filters).map(([name, { label, options }]) => [
    name,
    z.enum(Object.keys(options)).optional().describe(`Filter: ${label.toLowerCase()}`),
  ])
  return PageQuery.extend({
    ...(byWorkspace && { workspace_ids: IdList.describe('Only rows of these workspaces. Default: all workspaces') }),
    ...(search && { search: text(LENGTH.name).optional().describe(`${search}, in any letter case`) }),
    ...(sorts && {
      sort: z
        .enum(sorts.flatMap((field) => [field, `-${field}`]))
        .optional()
        .describe('Field to sort by. A minus sign reverses the order'),
    }),
    ...Object.fromEntries(chosen),
    ...Object.fromEntries(
      Object.entries(values).map(([name, { label, kind }]) => [
        name,
        VALUES[kind].optional().describe(`Filter: ${label.toLowerCase()}`),
      ]),
    ),
  })
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z
    .object({
      objects: z.array(item).describe('The rows of this page'),
      total: count('Number of rows on all pages'),
      size: count('Number of rows on this page'),
    })
    .describe('One page of the list')
}

export type PageQuery = z.output<typeof PageQuery>
