import { dashboardList } from './dashboards.ts'
import type { Endpoint } from './endpoint.ts'
import type * as schema from './saved-views.schema.ts'
import { userList } from './users.ts'
import { workspaceList } from './workspaces.ts'

export type {
  ChosenColumns,
  ColumnsChoice,
  SavedView,
  SavedViewCreate,
  SavedViewKey,
  SavedViewUpdate,
} from './saved-views.schema.ts'

/** The lists whose columns can be chosen, and whose views can be saved. */
export const VIEWED_LISTS = { workspaces: workspaceList, users: userList, dashboards: dashboardList } as const
export type ViewedList = keyof typeof VIEWED_LISTS

/** The maximum number of views of a list that one person can save. */
export const VIEWS_PER_LIST = 50

export const listSavedViews: Endpoint<typeof schema.listSavedViews> = {
  method: 'GET',
  url: '/api/v1/saved_views/',
  config: { access: 'account' },
}

export const createSavedView: Endpoint<typeof schema.createSavedView> = {
  method: 'POST',
  url: '/api/v1/saved_views/',
  config: { access: 'account' },
}

export const updateSavedView: Endpoint<typeof schema.updateSavedView> = {
  method: 'PATCH',
  url: '/api/v1/saved_views/',
  config: { access: 'account' },
}

export const deleteSavedView: Endpoint<typeof schema.deleteSavedView> = {
  method: 'DELETE',
  url: '/api/v1/saved_views/',
  config: { access: 'account' },
}

export const chooseColumns: Endpoint<typeof schema.chooseColumns> = {
  method: 'PUT',
  url: '/api/v1/saved_views/columns',
  config: { access: 'account' },
}
