import type { User, UserFilter } from '@watchdesk/contract/users'
import { toastError } from '../../ui/feedback/toast.tsx'
import type { AllSelection } from '../../ui/list/use-all-selection.ts'
import { type BarAction, ChangeBar } from '../operations/shared/change-bar.tsx'
import { users } from '../operations/shared/change-queries.ts'
import { useChangeMany } from '../operations/shared/use-change-many.ts'

type UsersBarProps = {
  selection: AllSelection<User>
  total: number | undefined
  filter: UserFilter
}

/** What can be done with the selected users. */
export function UsersBar({ selection, total, filter }: UsersBarProps) {
  const change = useChangeMany({ records: users, selection, filter })
  const load = () => import('./bulk-operations.tsx')
  const open = (start: (operations: Awaited<ReturnType<typeof load>>) => Promise<void>) => () =>
    void load().then(start).catch(toastError)
  const actions: BarAction[] = [
    { label: 'Move to workspace', run: open(({ move }) => change(move)) },
    { label: 'Change', run: open(({ update }) => change(update)) },
    { label: 'Sign out', run: open(({ endSessions }) => change(endSessions)) },
    { label: 'Unlock', run: open(({ unlock }) => change(unlock)) },
    { label: 'Delete', isDanger: true, run: open(({ remove }) => change(remove)) },
  ]
  return <ChangeBar selection={selection} total={total} isFiltered={Object.keys(filter).length > 0} actions={actions} />
}
