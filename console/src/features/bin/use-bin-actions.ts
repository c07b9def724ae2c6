import { useQueryClient } from '@tanstack/react-query'
import type { BinRecord } from '@watchdesk/contract/bin'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { restoreWithEmails } from './emails-dialog.tsx'
import { emailClashes, refreshAll, restoreRecord } from './queries.ts'
import { keyOf, linkOf } from './records.ts'
import { removeForGood } from './remove-dialog.tsx'

/** Restores a record or deletes it for good, and refreshes the lists. */
export function useBinActions() {
  const client = useQueryClient()
  const [pending, setPending] = useState<string>()

  async function restore(record: BinRecord) {
    if (pending !== undefined) return
    setPending(keyOf(record))
    try {
      const isTaken = record.problem?.reason === 'email_taken'
      if (isTaken ? await withEmails(record) : await directly(record))
        toastSuccess(`${record.name} restored.`, linkOf(record))
    } catch (error) {
      toastError(error)
    } finally {
      setPending(undefined)
      await refreshAll(client)
      keepFocus()
    }
  }

  /** An email may have been taken since the list was loaded. */
  async function directly(record: BinRecord) {
    try {
      await restoreRecord(record)
      return true
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === 409
      if (!isConflict || record.kind !== 'workspace') throw error
      return withEmails(record)
    }
  }

  async function withEmails(record: BinRecord) {
    const title = `Restore ${record.name} with ${record.kind === 'user' ? 'another email' : 'other emails'}`
    const clashes = await clashesOf(record)
    if (clashes.length === 0) {
      await restoreRecord(record)
      return true
    }
    return restoreWithEmails({ title, clashes, restore: (emails) => restoreRecord(record, emails) })
  }

  async function remove(record: BinRecord) {
    if (await removeForGood(record)) toastSuccess(`${record.name} deleted for good.`)
    await refreshAll(client)
    keepFocus()
  }

  return { restore, remove, pending }
}

async function clashesOf({ kind, id, name, detail, problem }: BinRecord) {
  if (kind === 'workspace') return (await emailClashes(id)).objects
  return [{ id, name, email: detail ?? '', taken_by: problem?.taken_by ?? null }]
}
