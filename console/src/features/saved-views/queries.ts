import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/saved-views'
import { call } from '../../api/call.ts'

export function savedViewsQuery(list: api.ViewedList) {
  return queryOptions({
    queryKey: ['saved-views', list],
    queryFn: async ({ signal }) => (await call(api.listSavedViews, { query: { list }, signal })).objects,
  })
}

export function createView(body: api.SavedViewCreate) {
  return call(api.createSavedView, { body })
}

export function updateView(body: api.SavedViewUpdate) {
  return call(api.updateSavedView, { body })
}

export function deleteView({ list, name }: api.SavedViewKey) {
  return call(api.deleteSavedView, { query: { list, name } })
}

export function chooseColumns(body: api.ColumnsChoice) {
  return call(api.chooseColumns, { body })
}
