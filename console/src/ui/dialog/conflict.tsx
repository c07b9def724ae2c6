import { Button } from '@mantine/core'
import type { Version } from '../../api/if-match.ts'
import { formatMomentsIn } from '../display/format.ts'
import classes from './conflict.module.css'
import dialogClasses from './dialog.module.css'
import { openDialog } from './dialogs.tsx'

export type Conflict<Values> = {
  /** What is edited: 'user'. */
  kind: string
  /** Fetches the current values, bypassing the cache. */
  load: () => Promise<{ values: Values; version: Version }>
  /** The fields to compare, by path, with their labels. */
  labels: Record<string, string>
  /** Formats values that are not readable as plain text. */
  show?: (path: string, value: unknown) => string | undefined
}

type Choice = 'mine' | 'theirs' | 'neither'

/** Shows both versions of the fields that differ. If none differ, there is nothing to choose. */
export function askConflict<Values>(
  text: string,
  { kind, labels, show }: Conflict<Values>,
  mine: Values,
  theirs: Values,
): Promise<Choice> {
  const rows = Object.entries(labels)
    .map(([path, label]) => ({ path, label, mine: at(mine, path), theirs: at(theirs, path) }))
    .filter((row) => JSON.stringify(row.mine) !== JSON.stringify(row.theirs))
  if (rows.length === 0) return Promise.resolve('mine')
  const write = (path: string, value: unknown) => show?.(path, value) ?? plain(value)

  return openDialog<Choice>(
    `This ${kind} was changed while you were editing it`,
    'neither',
    (answer) => (
      <>
        <p className={dialogClasses.text}>
          {formatMomentsIn(text)} Your changes are not saved yet. “Keep mine” replaces their values with yours. “Use
          theirs” discards your changes.
        </p>
        <div className={classes.versions}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Yours</th>
                <th scope="col">Theirs</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ path, label, ...row }) => (
                <tr key={path}>
                  <th scope="row">{label}</th>
                  <td>{write(path, row.mine)}</td>
                  <td>{write(path, row.theirs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className={dialogClasses.actions}>
          <Button variant="default" onClick={() => answer('theirs')} data-autofocus>
            Use theirs
          </Button>
          <Button onClick={() => answer('mine')}>Keep mine</Button>
        </div>
      </>
    ),
    'lg',
  )
}

function at(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => Object(value)[key], values)
}

function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(plain).join(', ')
  return String(value)
}
