import { Button } from '@mantine/core'
import { lazy, useState } from 'react'
import { Icon } from '../../../ui/display/icon.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { Floating } from '../../../ui/list/floating.tsx'
import type { ShownColumns } from './use-columns.ts'

const ColumnsPanel = lazy(() => import('../columns-panel.tsx').then((module) => ({ default: module.ColumnsPanel })))

type ColumnsMenuProps = { of: ShownColumns; columns: Record<string, Pick<Column<never>, 'heading'>> }

/** A button that opens the choice of columns. */
export function ColumnsMenu({ of, columns }: ColumnsMenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Floating
      at="end"
      isOpen={isOpen}
      onChange={setOpen}
      target={
        <Button variant="default" leftSection={<Icon name="columns" />} onClick={() => setOpen(!isOpen)}>
          Columns
        </Button>
      }
    >
      <ColumnsPanel of={of} columns={columns} />
    </Floating>
  )
}
