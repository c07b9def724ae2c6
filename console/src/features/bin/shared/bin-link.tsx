import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listBin } from '@watchdesk/contract/bin'
import { DAYS_IN_BIN } from '@watchdesk/contract/limits'
import { hasCallQuery } from '../../../api/has-call.ts'
import { closeDialog } from '../../../ui/dialog/dialogs.tsx'
import classes from './bin-link.module.css'

/** For the question before something is deleted. */
export function BinLink() {
  // Found out by the side menu.
  const isMissing = useQueryClient().getQueryData(hasCallQuery(listBin).queryKey) === false
  if (isMissing) return 'You can undo this right after deleting.'
  return (
    <>
      You can undo this for {DAYS_IN_BIN} days, in the{' '}
      <Link to="/bin" className={classes.link} onClick={closeDialog}>
        Bin
      </Link>
      .
    </>
  )
}
