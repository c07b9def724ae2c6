import { Link } from '@tanstack/react-router'
import { DAYS_IN_BIN } from '@watchdesk/contract/limits'
import { closeDialog } from '../../../ui/dialog/dialogs.tsx'
import classes from './bin-link.module.css'

/** For the question before something is deleted. */
export function BinLink() {
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
