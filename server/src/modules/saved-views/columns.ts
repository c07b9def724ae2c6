import type { ChosenColumns } from '@watchdesk/contract/saved-views'
import { sql } from 'kysely'

/** The columns that a user of the query chose, by list. */
export const chosenColumns = sql<ChosenColumns>`(select coalesce(jsonb_object_agg(list, columns), '{}')
  from list_columns where list_columns.user_id = users.id)`
