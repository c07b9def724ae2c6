import { useQueryClient } from '@tanstack/react-query'
import type { MonitoredSource, SourceFilter, SourcesChange, SourcesChanged } from '@watchdesk/contract/sources'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { useIdempotencyKey } from '../../api/idempotency-key.ts'
import { countryName } from '../../ui/display/country-name.ts'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { toastError, toastSuccess, type Undo } from '../../ui/feedback/toast.tsx'
import { useIsLong } from '../../ui/feedback/use-is-long.ts'
import type { AllSelection } from '../../ui/list/use-all-selection.ts'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { followJob } from '../jobs/shared/follow-job.ts'
import { askCountry, askRemoval } from './change-dialogs.tsx'
import { changeSources, refreshSources, sourcesQuery, undoChange } from './queries.ts'

type Options = { selection: AllSelection<MonitoredSource>; filter: SourceFilter; words: string }

/** What is changed: how many, and in words. When asked again, with the reason and the last answer. */
export type Target = { count: number; isAll: boolean; words: string; again?: { note: string; last: Wanted } }

type Wanted = Pick<SourcesChange, 'action' | 'country'>

/** Changes the selected sources, or all that match, after a question that says how many they are. */
export function useChangeMany({ selection, filter, words }: Options) {
  const client = useQueryClient()
  const [running, setRunning] = useState<string>()
  const isLong = useIsLong(running !== undefined)
  const { keyOf, renewKey } = useIdempotencyKey()

  /** Asks again if the number has changed in the meantime; then nothing was changed. */
  async function run(ask: (target: Target) => Promise<Wanted | undefined>) {
    if (running !== undefined) return
    let count = selection.count
    let again: Target['again']
    try {
      for (;;) {
        const wanted = await ask({ count, isAll: selection.isAll, words, again })
        if (!wanted) return
        setRunning(`${wanted.action === 'remove' ? 'Removing' : 'Changing'} ${formatCount(count, 'source')}…`)
        try {
          const rows = selection.isAll ? { filter } : { ids: selection.chosen.map(({ id }) => id) }
          const body = { ...wanted, ...rows, expected_count: count }
          const changed = await changeSources(body, keyOf(JSON.stringify(body)))
          renewKey()
          report(wanted, changed, count)
          selection.clear()
          keepFocus()
          return
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 409) throw error
          renewKey()
          count = selection.isAll ? await countMatching() : countIn(error.text)
          // Nothing is left to ask about.
          if (!(count > 0)) throw error
          again = {
            note: `Nothing was changed yet, because ${formatCount(count, 'source matches', 'sources match')} now.`,
            last: wanted,
          }
        } finally {
          setRunning(undefined)
        }
      }
    } catch (error) {
      toastError(error)
    } finally {
      await refreshSources(client)
    }
  }

  async function countMatching() {
    return (await client.fetchQuery({ ...sourcesQuery({ ...filter, page: 1, page_size: 1 }), staleTime: 0 })).total
  }

  function report({ action, country }: Wanted, { changed_count, import_id, job_id }: SourcesChanged, asked: number) {
    const count = formatCount(changed_count, 'source')
    if (import_id === null) return toastSuccess('Nothing had to be changed.')
    const link = { to: '/imports/$id', params: { id: String(import_id) } } as const
    if (job_id !== null) {
      void followJob(client, job_id)
      const doing = action === 'remove' ? `Removing ${count}.` : `Changing the country of ${count}.`
      return toastSuccess(`${doing} It continues in the background. You will see a message when it ends.`, { link })
    }
    // The question was about more sources than were changed.
    const unchanged = asked > changed_count ? ` ${formatNumber(asked - changed_count)} had it already.` : ''
    const isRemoval = action === 'remove'
    const done = isRemoval
      ? `${count} removed.`
      : `Country of ${count} ${country ? `set to ${countryName(country)}.` : 'cleared.'}`
    const undone = isRemoval ? `${count} restored.` : `Country of ${count} put back.`
    toastSuccess(isRemoval || country === null ? done : done + unchanged, {
      link,
      undo: undoOf(import_id, undone, done),
    })
  }

  /** Undoing an undo is a redo, and so on. */
  function undoOf(import_id: number, done: string, doneBefore: string, isRedo = false): Undo {
    let last: number | undefined
    return {
      label: isRedo ? 'Redo' : 'Undo',
      run: async () => {
        last = (await undoChange(import_id).finally(() => refreshSources(client))).id
      },
      done,
      next: () => (last === undefined ? undefined : undoOf(last, doneBefore, done, !isRedo)),
    }
  }

  return {
    remove: () => run(askRemoval),
    setCountry: () => run(askCountry),
    progress: running && (isLong ? `${running} You can leave this page; it continues.` : running),
  }
}

/** The number of selected sources that still exist: the message of the server starts with it. */
function countIn(text: string) {
  return Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''))
}
