import type { QueryClient } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/bin'
import { keysOf } from '@watchdesk/contract/list'
import { DELETABLE_KINDS } from '@watchdesk/contract/records'
import { ApiError, call } from '../../api/call.ts'
import { pageQuery } from '../../api/page-query.ts'
import { RECORDS } from '../activity/shared/records.ts'
import { KINDS, type NewEmail } from './kinds.ts'

export const binQuery = pageQuery(['bin'], api.listBin)

/** Restores a record. Its users, or the user itself, can get other emails. */
export async function restoreRecord(record: api.BinRecord, emails?: NewEmail[]) {
  const kind = KINDS[record.kind]
  if (kind) return kind.restore(record.id, emails)
  const [outcome] = await restoreRecords([record])
  if (outcome?.problem) throw new ApiError(409, { detail: outcome.problem }, '', api.restoreFromBin.config)
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
  const keys = ['bin', ...keysOf(DELETABLE_KINDS).map((kind) => RECORDS[kind].queries)]
  return Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
