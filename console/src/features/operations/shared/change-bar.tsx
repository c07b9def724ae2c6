import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { CHANGED_AT_ONCE } from '@watchdesk/contract/limits'
import { formatNumber } from '../../../ui/display/format.ts'
import { Icon } from '../../../ui/display/icon.tsx'
import { SelectionBar } from '../../../ui/list/selection-bar.tsx'
import type { AllSelection } from '../../../ui/list/use-all-selection.ts'
import { Menu, MenuItem } from '../../../ui/menu/menu.tsx'

const NARROW = '(max-width: 47.99em)'

export type BarAction = { label: string; isDanger?: boolean; run: () => void }

type ChangeBarProps<Row> = {
  selection: AllSelection<Row>
  /** The number of records that match, if all of them can be selected. */
  total?: number | undefined
  isFiltered?: boolean
  actions: BarAction[]
}

/** What can be done with the selected records. On a narrow screen the actions are in a menu. */
export function ChangeBar<Row>({ selection, total = 0, isFiltered = false, actions }: ChangeBarProps<Row>) {
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
        <ActionsMenu actions={actions} />
      ) : (
        actions.map(({ label, isDanger, run }) => (
          <Button
            key={label}
            {...(isDanger ? { color: 'red' } : { variant: 'default' })}
            size="compact-sm"
            onClick={run}
          >
            {label}
          </Button>
        ))
      )}
    </SelectionBar>
  )
}

function ActionsMenu({ actions }: { actions: BarAction[] }) {
  return (
    <Menu
      target={(target) => (
        <Button {...target} variant="default" size="compact-sm" rightSection={<Icon name="chevron-down" size={14} />}>
          Actions
        </Button>
      )}
    >
      {actions.map(({ label, run }) => (
        <MenuItem key={label} onClick={run}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
