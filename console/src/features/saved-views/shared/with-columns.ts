import { VIEWED_LISTS, type ViewedList } from '@watchdesk/contract/saved-views'

/** The default columns, with some in the place of the roles, which are wide. */
export function withColumns(list: ViewedList, ...more: string[]) {
  return { columns: [...VIEWED_LISTS[list].columns.filter((name) => name !== 'roles'), ...more].join(',') }
}
