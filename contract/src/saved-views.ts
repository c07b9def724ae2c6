import { dashboardList } from './dashboards.ts'
import { del, get, patch, post, put } from './endpoint.ts'
import type * as schema from './saved-views.schema.ts'
import { userList } from './users.ts'
import { workspaceList } from './workspaces.ts'

export type * from './saved-views.schema.ts'

export const VIEWED_LISTS = { workspaces: workspaceList, users: userList, dashboards: dashboardList } as const
export type ViewedList = keyof typeof VIEWED_LISTS

export const VIEWS_PER_LIST = 50

export const listSavedViews = get<typeof schema.listSavedViews>('/saved_views/', 'account')
export const createSavedView = post<typeof schema.createSavedView>('/saved_views/', 'account')
export const updateSavedView = patch<typeof schema.updateSavedView>('/saved_views/', 'account')
export const deleteSavedView = del<typeof schema.deleteSavedView>('/saved_views/', 'account')
export const chooseColumns = put<typeof schema.chooseColumns>('/saved_views/columns', 'account')
