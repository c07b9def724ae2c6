import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Sheet } from '@watchdesk/contract/sheets'
import { Icon } from '../../ui/display/icon.tsx'
import classes from './actions.module.css'
import { useDeleteSheet } from './use-delete.tsx'
import { useRenameSheet } from './use-rename.ts'

/** Renames the sheet of the page, or deletes it and goes to the list. */
export function ManageSheet({ sheet }: { sheet: Sheet }) {
  const rename = useRenameSheet()
  const remove = useDeleteSheet()
  const navigate = useNavigate()
  return (
    <div className={classes.actions}>
      <Button variant="default" leftSection={<Icon name="pencil" />} onClick={() => void rename(sheet)}>
        Rename
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="trash" />}
        onClick={() => void remove(sheet, () => navigate({ to: '/sheets' }))}
      >
        Delete
      </Button>
    </div>
  )
}
