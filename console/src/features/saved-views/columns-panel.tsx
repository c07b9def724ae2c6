import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { columnsOf } from '@watchdesk/contract/list'
import { VIEWED_LISTS } from '@watchdesk/contract/saved-views'
import { toastError } from '../../ui/feedback/toast.tsx'
import { ColumnChooser } from '../../ui/list/column-chooser.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { useChangeSearch } from '../../ui/list/use-list.ts'
import { currentUserQuery } from '../auth/queries.ts'
import classes from './columns-panel.module.css'
import { chooseColumns } from './queries.ts'
import type { ShownColumns } from './shared/use-columns.ts'

type ColumnsPanelProps = { of: ShownColumns; columns: Record<string, Pick<Column<never>, 'heading'>> }

/** The choice of columns is kept, except those of a link: they are changed in the address. */
export function ColumnsPanel({ of: { list, shown, isFromAddress, canKeep }, columns }: ColumnsPanelProps) {
  const change = useChangeSearch()
  const keep = useKeepColumns(list)
  const options = VIEWED_LISTS[list]
  const headings = Object.fromEntries(columnsOf(options).map((name) => [name, columns[name]?.heading ?? name]))
  const isDefault = shown.join() === options.columns.join()
  const isInAddress = isFromAddress || !canKeep

  function choose(names: string[] | null) {
    if (isInAddress) change({ columns: (names ?? options.columns).join(',') }, { replace: true })
    else keep(names)
  }

  return (
    <div className={classes.panel}>
      <ColumnChooser headings={headings} shown={shown} onChange={choose} />
      {isFromAddress && canKeep && (
        <div className={classes.note}>
          <span>These columns are from a link. Your own stay as they are.</span>
          <div className={classes.buttons}>
            <Button variant="default" size="compact-sm" onClick={() => change({ columns: undefined })}>
              Show mine
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                keep([...shown])
                change({ columns: undefined })
              }}
            >
              Keep these
            </Button>
          </div>
        </div>
      )}
      <Button variant="subtle" size="compact-sm" disabled={isDefault} onClick={() => choose(null)}>
        Reset to default
      </Button>
    </div>
  )
}

/** Shown at once. Choices are sent one after the other, so that the last one is kept. */
function useKeepColumns(list: ShownColumns['list']) {
  const client = useQueryClient()
  const { queryKey } = currentUserQuery
  const { mutate } = useMutation({
    mutationFn: (columns: string[] | null) => chooseColumns({ list, columns }),
    scope: { id: `columns of ${list}` },
    onError: (error) => {
      toastError(error)
      void client.invalidateQueries({ queryKey })
    },
  })
  return (columns: string[] | null) => {
    client.setQueryData(queryKey, (me) => me && { ...me, columns: { ...me.columns, [list]: columns ?? undefined } })
    mutate(columns)
  }
}
