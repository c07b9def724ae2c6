import type { QueryClient } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/bin'
import * as dashboards from '@watchdesk/contract/dashboards'
import * as sheets from '@watchdesk/contract/sheets'
import * as sources from '@watchdesk/contract/sources'
import * as users from '@watchdesk/contract/users'
import * as workspaces from '@watchdesk/contract/workspaces'
import { call } from '../../api/call.ts'
import { pageQuery } from '../../api/page-query.ts'

export const binQuery = pageQuery(['bin'], api.listBin)

export type NewEmail = { id: number; email: string }

/** Restores a record. Its users, or the user itself, can get other emails. */
export function restoreRecord({ kind, id }: api.BinRecord, emails?: NewEmail[]) {
  const params = { id }
  if (kind === 'dashboard') return call(dashboards.restoreDashboard, { params })
  if (kind === 'sheet') return call(sheets.restoreSheet, { params })
  if (kind === 'source') return call(sources.restoreSource, { params })
  if (kind === 'workspace') return call(workspaces.restoreWorkspace, { params, ...(emails && { body: { emails } }) })
  const [given] = emails ?? []
  return call(users.restoreUser, { params, ...(given && { body: { email: given.email } }) })
}

export async function restoreRecords(records: api.BinRecord[]) {
  const body = { records: records.map(({ kind, id }) => ({ kind, id })) }
  return (await call(api.restoreFromBin, { body })).outcomes
}

export function removeRecord({ kind, id, name }: api.BinRecord) {
  return call(api.removeFromBin, { body: { kind, id, name } })
}

export function emailClashes(id: number) {
  return call(api.listEmailClashes, { params: { id } })
}

/** A restored record is back in its list, and a dashboard in its workspaces. */
export function refreshAll(client: QueryClient) {
  const keys = ['bin', 'users', 'workspaces', 'dashboards', 'sheets', 'sources']
  return Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
