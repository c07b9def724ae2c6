import type { BinRecord } from '@watchdesk/contract/bin'
import { restoreDashboard } from '@watchdesk/contract/dashboards'
import { restoreSheet } from '@watchdesk/contract/sheets'
import { restoreSource } from '@watchdesk/contract/sources'
import { restoreUser } from '@watchdesk/contract/users'
import { restoreWorkspace } from '@watchdesk/contract/workspaces'
import { call } from '../../api/call.ts'
import { formatCount } from '../../ui/display/format.ts'

export type NewEmail = { id: number; email: string }

type KindInBin = {
  /** Its users, or the user itself, can get other emails. */
  restore: (id: number, emails?: NewEmail[]) => Promise<unknown>
  /** What it returns with, instead of its details. */
  contents?: (record: BinRecord) => string
  /** What deleting it for good deletes, if that is more than the record. */
  lost?: (record: BinRecord) => string
}

/** What the bin knows of some kinds of records. Others are restored by the bin's own call. */
export const KINDS: Partial<Record<string, KindInBin>> = {
  user: {
    restore: (id, [given] = []) =>
      call(restoreUser, { params: { id }, ...(given && { body: { email: given.email } }) }),
    lost: ({ name, detail }) => `This deletes the account of ${name} (${detail}).`,
  },
  workspace: {
    restore: (id, emails) => call(restoreWorkspace, { params: { id }, ...(emails && { body: { emails } }) }),
    contents: ({ users }) => (users === 0 ? 'No users' : `With ${formatCount(users, 'user')}`),
    lost: ({ name, users }) =>
      users === 0
        ? `This deletes ${name}, and users of it that were deleted earlier.`
        : `This deletes ${name}, the ${formatCount(users, 'user')} deleted with it, and users of it that were deleted earlier.`,
  },
  dashboard: {
    restore: (id) => call(restoreDashboard, { params: { id } }),
    contents: ({ workspaces }) => (workspaces === 0 ? 'In no workspace' : `In ${formatCount(workspaces, 'workspace')}`),
    lost: ({ name, workspaces }) =>
      workspaces === 0
        ? `This deletes ${name}.`
        : `This deletes ${name}, and its place in ${formatCount(workspaces, 'workspace')}.`,
  },
  sheet: {
    restore: (id) => call(restoreSheet, { params: { id } }),
    lost: ({ name, detail }) => `This deletes ${name} with its ${detail}.`,
  },
  source: {
    restore: (id) => call(restoreSource, { params: { id } }),
    lost: ({ name }) => `This deletes the source ${name}.`,
  },
}
