import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { saveFile } from '../../ui/file/save-file.ts'
import { Links } from './links.tsx'
import { outcomeText } from './outcome-text.ts'
import classes from './result.module.css'
import { type FileFormat, reasonOf, resultFile, type Secret } from './result-file.ts'
import { RowList } from './row-list.tsx'
import type { ResultRow, RunState } from './use-run.ts'

const FORMATS: FileFormat[] = ['csv', 'xlsx']

type ResultProps = {
  state: RunState
  secret: Secret
  /** Only super admins see imports. */
  isImportShown: boolean
  onSaved: () => void
  /** Goes back to the form, with the rows that were not added. */
  onMore: (rows: ResultRow[]) => void
}

/** What became of each row, with the passwords, which are shown nowhere else. */
export function Result({ state, secret, isImportShown, onSaved, onMore }: ResultProps) {
  const { import_id, isInvited, results } = state
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => card.current?.focus({ preventScroll: true }), [])
  const cells = useMemo(() => results.map((result) => cellsOf(result, secret)), [results, secret])
  const left = results.filter(({ outcome }) => outcome !== 'added')
  const added = results.length - left.length
  const verb = left.every(({ outcome }) => outcome === 'cancelled') ? 'Continue with' : 'Correct'
  const hasSecrets = results.some(({ password }) => password !== null)

  function save(format: FileFormat) {
    const name = hasSecrets ? `new-users-with-${secret}s` : 'new-users'
    saveFile(resultFile(results, format, secret), `${name}-${new Date().toISOString().slice(0, 10)}.${format}`)
    onSaved()
  }

  return (
    <div className={classes.result}>
      <div ref={card} className={classes.card} tabIndex={-1}>
        <div role="status">
          <h2 className={classes.title}>
            {left.length === 0
              ? `${formatCount(added, 'user')} added`
              : `${formatNumber(added)} of ${formatCount(results.length, 'user')} added`}
          </h2>
        </div>
        {hasSecrets && (
          <p className={classes.note}>
            Download the result with the {secret}s now. They are not shown again after you leave this page.
          </p>
        )}
        {isInvited && !hasSecrets && added > 0 && (
          <p className={classes.note}>Each gets a mail with a link to choose a password.</p>
        )}
        <div className={classes.actions}>
          {FORMATS.map((format, index) => (
            <Button
              key={format}
              variant={index === 0 ? 'filled' : 'default'}
              leftSection={<Icon name="download" size={16} />}
              onClick={() => save(format)}
            >
              Download result as {format.toUpperCase()}
            </Button>
          ))}
          <Button variant="default" onClick={() => onMore(left)}>
            {left.length > 0 ? `${verb} ${formatCount(left.length, 'row')}` : 'Add more users'}
          </Button>
        </div>
        <p className={classes.links}>
          <Link to="/users">Go to Users</Link>
          {isImportShown && import_id !== undefined && (
            <Link to="/imports/$id" params={{ id: String(import_id) }}>
              See the import
            </Link>
          )}
        </p>
      </div>
      {secret === 'link' && hasSecrets && <Links results={results} onSaved={onSaved} />}
      <div className={classes.rows}>
        <RowList
          title="Result"
          header={['row', 'email', 'name', secret === 'password' ? 'password or reason' : 'reason', 'outcome']}
          rows={cells}
        />
      </div>
    </div>
  )
}

/** A link would be cut, and open on a click. */
function cellsOf(result: ResultRow, secret: Secret) {
  const { row, email, name, password, outcome } = result
  const note = [secret === 'password' && password, reasonOf(result)].filter(Boolean).join(' · ')
  return [String(row), email, name, note, outcomeText(outcome)]
}
