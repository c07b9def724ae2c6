import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { CHANGED_AT_ONCE } from '@watchdesk/contract/limits'
import { formatNumber } from '../../../ui/display/format.ts'
import { Icon } from '../../../ui/display/icon.tsx'
import { SelectionBar } from '../../../ui/list/selection-bar.tsx'
import type { AllSelection } from '../../../ui/list/use-all-selection.ts'
import { Menu, MenuItem } from '../../../ui/menu/menu.tsx'
import type { BulkOperation, BulkOperations } from './bulk-operation.ts'
import type { FilterOf, Records } from './change-queries.ts'
import { useChangeMany } from './use-change-many.ts'

const NARROW = '(max-width: 47.99em)'

export type BarProps<Row, Filter> = {
  selection: AllSelection<Row>
  /** The number of records that match, if all of them can be selected. */
  total?: number | undefined
  /** Without one, all of them cannot be selected. */
  filter?: Filter
}

type ChangeBarProps<Row, Change> = BarProps<Row, FilterOf<Change>> & {
  records: Records<Change>
  operations: BulkOperations<Change>
}

/** What can be done with the selected records. On a narrow screen the actions are in a menu. */
export function ChangeBar<Row extends { id: number }, Change>(props: ChangeBarProps<Row, Change>) {
  const { selection, total = 0, filter, operations } = props
  const change = useChangeMany(props)
  const isFiltered = Object.keys(filter ?? {}).length > 0
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const isTooMany = !selection.isAll && selection.count > CHANGED_AT_ONCE
  return (
    <SelectionBar selection={selection} count={selection.count}>
      {!selection.isAll && total > selection.count && (
        <Button variant="subtle" size="compact-sm" onClick={selection.selectAll}>
          {isFiltered ? `Select all ${formatNumber(total)} that match` : `Select all ${formatNumber(total)}`}
        </Button>
      )}
      {isTooMany ? (
        `At most ${formatNumber(CHANGED_AT_ONCE)} at once, or all that match`
      ) : isNarrow ? (
        <ActionsMenu operations={operations} change={change} />
      ) : (
        operations.map((operation) => (
          <Button
            key={operation.label}
            {...(operation.isDanger ? { color: 'red' } : { variant: 'default' })}
            size="compact-sm"
            onClick={() => void change(operation)}
          >
            {operation.label}
          </Button>
        ))
      )}
    </SelectionBar>
  )
}

type MenuProps<Change> = Pick<ChangeBarProps<never, Change>, 'operations'> & {
  change(operation: BulkOperation<Change, unknown>): Promise<void>
}

function ActionsMenu<Change>({ operations, change }: MenuProps<Change>) {
  return (
    <Menu
      target={(target) => (
        <Button {...target} variant="default" size="compact-sm" rightSection={<Icon name="chevron-down" size={14} />}>
          Actions
        </Button>
      )}
    >
      {operations.map((operation) => (
        <MenuItem key={operation.label} onClick={() => void change(operation)}>
          {operation.label}
        </MenuItem>
      ))}
    </Menu>
  )
}
