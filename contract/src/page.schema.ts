import { z } from 'zod'
import * as field from './fields.schema.ts'
import { LENGTH, MAX_ID, MAX_PAGE_SIZE, PAGE_SIZE, ROWS_AT_ONCE } from './limits.ts'
import {
  columnsOf,
  FILTER_COUNTRY,
  type FileQuery,
  type ListFilter,
  type ListOptions,
  type ListQuery,
  type ValueFilter,
} from './list.ts'

export const PageQuery = z.strictObject({
  page: field.about(field.digits(z.int().min(1).max(MAX_ID)).optional(), 'Page number. Default: 1', 1),
  page_size: field.about(
    field.digits(z.int().min(1).max(MAX_PAGE_SIZE)).optional(),
    `Number of rows per page. Default: ${PAGE_SIZE}`,
    PAGE_SIZE,
  ),
})

export const RowsQuery = z.strictObject({
  offset: field.digits(z.int().min(0).max(MAX_ID)).optional().describe('Number of rows to skip. Default: 0'),
  limit: field.digits(z.int().min(1).max(ROWS_AT_ONCE)).optional().describe('Maximum number of rows to return'),
})

const IDS_LENGTH = 1000
const TOO_MANY_IDS = `At most ${IDS_LENGTH.toLocaleString('en')} entries.`

/** Values repeated (`ids=1&ids=2`) or separated by commas (`ids=1,2`). An empty list (`ids=`) is the same as none. */
function listIn<Item>(items: z.ZodType<Item[], string[]>) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().filter(Boolean).join(',') || undefined)
    .transform((text) => text?.split(','))
    .pipe(items.optional())
    .optional()
}

export const IdList = listIn(z.array(field.digits(field.Id)).max(IDS_LENGTH, TOO_MANY_IDS))

const percent = z.int().min(0).max(100)

/** The values that a list can be filtered by. In a query, numbers are text. */
export const VALUES = {
  id: field.digits(field.Id),
  day: z.iso
    .date('Must be a date, such as 2026-11-17.')
    .refine((value) => value >= '0001', 'Must be a date in the years 1 to 9999.')
    .meta({ examples: ['2026-11-17'] }),
  country: z
    .string()
    .regex(FILTER_COUNTRY, 'Must be the two-letter code of a country, or none.')
    .meta({ examples: ['UA'] }),
  name: field.text(LENGTH.name),
  percent: field.digits(percent).meta({ examples: [10] }),
} satisfies Record<ValueFilter['kind'], z.ZodType>

const BODY_VALUES = { ...VALUES, id: field.Id, percent: percent.meta({ examples: [10] }) }

function someOf(values: readonly string[]) {
  return z.array(z.enum(values)).max(values.length, `At most ${values.length} entries.`)
}

export function listQuery<List extends ListOptions>(list: List): z.ZodType<ListQuery<List>>
export function listQuery(list: ListOptions) {
  const { sorts, include } = list
  return PageQuery.extend({
    ...filtersOf(list, 'query'),
    ...(sorts && { sort: sortBy(sorts) }),
    ...(include && { include: listIn(someOf(include)).describe('Computed fields of the rows to return as well') }),
  })
}

export function fileQuery<List extends ListOptions>(list: List): z.ZodType<FileQuery<List>>
export function fileQuery(list: ListOptions): z.ZodType {
  return z.strictObject({
    ...filtersOf(list, 'query'),
    ...(list.sorts && { sort: sortBy(list.sorts) }),
    columns: listIn(
      someOf(columnsOf(list)).refine(
        (names) => new Set(names).size === names.length,
        'The list contains the same entry twice.',
      ),
    ).describe('Columns of the file, in their order, separated by commas. Default: the columns of the list'),
    format: field.FileFormat,
  })
}

type Place = 'query' | 'body'

export function filterIn<List extends ListOptions>(place: Place, list: List): z.ZodObject<Shape<ListFilter<List>>>
export function filterIn(place: Place, list: ListOptions) {
  return z.strictObject(filtersOf(list, place))
}

type Shape<Fields> = { [Name in keyof Fields]-?: z.ZodOptional<z.ZodType<Exclude<Fields[Name], undefined>>> }

export function sortBy(sorts: readonly string[]) {
  return z
    .enum(sorts.flatMap((name) => [name, `-${name}`]))
    .optional()
    .describe('Field to sort by. A minus sign reverses the order')
}

function filtersOf({ search, byWorkspace, filters = {}, values = {} }: ListOptions, place: Place) {
  const isBody = place === 'body'
  const chosen = Object.entries(filters).map(([name, { label, options, isMultiple }]) => {
    const choices = Object.keys(options)
    const several = isBody ? someOf(choices).optional() : listIn(someOf(choices))
    const described = isMultiple ? several : z.enum(choices).optional()
    return [
      name,
      described.describe(`Filter: ${label.toLowerCase()}${isMultiple && !isBody ? ', separated by commas' : ''}`),
    ]
  })
  const entered = Object.entries(values).map(([name, { label, kind }]) => [
    name,
    (isBody ? BODY_VALUES : VALUES)[kind].optional().describe(`Filter: ${label.toLowerCase()}`),
  ])
  return {
    ...(byWorkspace && {
      workspace_ids: (isBody ? z.array(field.Id).max(IDS_LENGTH, TOO_MANY_IDS).optional() : IdList).describe(
        'Only rows of these workspaces. Default: all workspaces',
      ),
    }),
    ...(search && { search: field.text(LENGTH.name).optional().describe(`${search}, in any letter case`) }),
    ...Object.fromEntries(chosen),
    ...Object.fromEntries(entered),
  }
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return field.object('One page of the list', {
    objects: z.array(item).describe('The rows of this page'),
    total: field.count('Number of rows on all pages'),
    size: field.count('Number of rows on this page'),
  })
}

export function listOf<List extends ListOptions, Row extends z.ZodType>(summary: string, list: List, row: Row) {
  return { summary, list, querystring: listQuery(list), response: { 200: pageOf(row) } }
}

export type PageQuery = z.output<typeof PageQuery>
