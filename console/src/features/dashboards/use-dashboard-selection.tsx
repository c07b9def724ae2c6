import type { Dashboard } from '@watchdesk/contract/dashboards'
import { lazy, Suspense } from 'react'
import { useAllSelection } from '../../ui/list/use-all-selection.ts'
import { useCanChangeMany } from '../operations/shared/use-can-change-many.ts'

// Most visits select nothing.
const DashboardsBar = lazy(() => import('./bulk-operations.tsx').then((module) => ({ default: module.DashboardsBar })))

/** The boxes and the bar of the dashboards table. The list has one page, so all of them are selected by its boxes. */
export function useDashboardSelection(total: number) {
  const canSelect = useCanChangeMany()
  const selection = useAllSelection<Dashboard>({ name: ({ name }) => name, filter: {}, total })
  if (!canSelect) return
  const bar = (
    <Suspense>
      <DashboardsBar selection={selection} />
    </Suspense>
  )
  return { selection, bar }
}
