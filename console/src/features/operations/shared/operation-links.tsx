import { Link } from '@tanstack/react-router'
import { DAYS_IN_BIN } from '@watchdesk/contract/limits'
import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { useHasJobs } from '../../jobs/shared/use-has-jobs.ts'
import classes from './operation-links.module.css'
import { Verified } from './verified.tsx'

/** Only some backends keep imports, and return their id and proof. */
type Recorded = { import_id?: number | undefined; verification?: Operation['verification'] | undefined }

/** Below the result of an import: the proof of what was stored, and the way to its rows and its undo. */
export function RecordedOperation({ import_id, verification, what = 'import' }: Recorded & { what?: string }) {
  return (
    <>
      {verification && <Verified verification={verification} />}
      {import_id !== undefined && (
        <Link to="/imports/$id" params={{ id: String(import_id) }} className={classes.link}>
          See the {what}
        </Link>
      )}
    </>
  )
}

/** Next to the heading of a page that imports. */
export function EarlierImports({ kind }: { kind?: OperationKindName }) {
  if (!useHasJobs()) return null
  return (
    <Link to="/imports" search={{ kind }} className={classes.link}>
      Earlier imports
    </Link>
  )
}

/** For the question before an import deletes something. */
export function UndoNote() {
  return useHasJobs() ? `You can undo the import for ${DAYS_IN_BIN} days.` : 'This cannot be undone.'
}
