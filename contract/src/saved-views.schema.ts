import { z } from 'zod'
import { callOf, Nothing, objectsOf, queryOf, sendOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { LENGTH } from './limits.ts'
import { columnsOf, keysOf } from './list.ts'
import { VIEWED_LISTS } from './saved-views.ts'

const List = field.about(z.enum(keysOf(VIEWED_LISTS)), 'The list that the view is of', 'workspaces')

const Name = field.about(
  field.name('Name is required!'),
  'Name of the view, unique among your views of the list in any letter case',
  'Trials in autumn',
)

const Query = field
  .text(LENGTH.link)
  .refine((value) => !/[#?\s]/.test(value), 'Must be the query of an address, without the question mark.')
  .meta({
    pattern: '^[^#?\\s\\u0000]*$',
    description: 'Filters, order and columns, as the query of the address of the list',
    examples: ['status=TRIAL&sort=-name&columns=id,name,trial_end_date'],
  })

export const SavedView = field.object('The view', { list: List, name: z.string(), query: z.string() })
export const SavedViewCreate = z.strictObject({ list: List, name: Name, query: Query })
export const SavedViewUpdate = z.strictObject({
  list: List,
  name: Name.describe('Name that the view has now'),
  new_name: Name.optional().describe('Another name for the view'),
  query: Query.optional(),
})
export const SavedViewKey = z.strictObject({ list: List, name: Name })

/** A list that is missing here shows its default columns. */
export const ChosenColumns = field.about(
  z.partialRecord(List, z.array(z.string())),
  'The columns that you chose, by list',
  { users: ['id', 'full_name', 'email'] },
)

export const ColumnsChoice = z
  .strictObject({
    list: List,
    columns: field.about(
      z.array(z.string()).min(1, 'Choose at least one column.').nullable(),
      'The columns in their order. Null: the default ones',
      ['id', 'name', 'status'],
    ),
  })
  .superRefine(({ list, columns }, context) => {
    const known = columnsOf(VIEWED_LISTS[list])
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['columns'], message })
    const unknown = columns?.find((column) => !known.includes(column))
    if (unknown !== undefined) refuse(`${unknown} is not a column of this list.`)
    if (columns && new Set(columns).size < columns.length) refuse('The list contains the same column twice.')
  })

export type SavedView = z.infer<typeof SavedView>
export type SavedViewCreate = z.infer<typeof SavedViewCreate>
export type SavedViewUpdate = z.infer<typeof SavedViewUpdate>
export type SavedViewKey = z.infer<typeof SavedViewKey>
export type ChosenColumns = z.infer<typeof ChosenColumns>
export type ColumnsChoice = z.infer<typeof ColumnsChoice>

export const listSavedViews = queryOf(
  'List your saved views of a list',
  z.strictObject({ list: List }),
  objectsOf(SavedView, 'The views, by name', 'Your views'),
)

export const createSavedView = { summary: 'Save a view', body: SavedViewCreate, response: { 201: SavedView } }

export const updateSavedView = callOf('Rename or replace a saved view', SavedViewUpdate, SavedView)

export const deleteSavedView = { summary: 'Delete a saved view', querystring: SavedViewKey, response: { 204: Nothing } }

export const chooseColumns = sendOf('Choose the columns of a list', ColumnsChoice)
