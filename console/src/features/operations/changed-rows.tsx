import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import type { UndoPreview } from '@watchdesk/contract/operations/operations'
import { countryName } from '../../ui/display/country-name.ts'
import { formatAgo, formatCount, formatNumber } from '../../ui/display/format.ts'
import { showValue } from '../activity/shared/labels.ts'
import { rowsOf } from '../activity/shared/rows.ts'
import { useNames } from '../activity/shared/values.tsx'
import { allLabel, type Chosen } from './shared/effects.ts'
import { KINDS } from './shared/kinds.ts'
import classes from './undo-dialog.module.css'

type Row = UndoPreview['changed'][number]

const WHAT: Record<Row['what'], string> = {
  edited: 'Country changed',
  removed: 'Removed',
  restored: 'Restored',
}
const WHAT_OF_RECORDS: Record<Row['what'], string> = { edited: 'Changed', removed: 'Deleted', restored: 'Restored' }
const NO_COUNTRY = 'no country'

type ChangedProps = {
  /** What is undone. */
  kind: OperationKindName
  preview: UndoPreview
  isRedo: boolean
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  isDisabled: boolean
}

/** The rows that changed since. They are left alone unless chosen. */
export function ChangedRows({ preview, kind, isRedo, chosen, onChange, isDisabled }: ChangedProps) {
  const { changed, changed_count } = preview
  const isAll = chosen === 'all'
  const { noun = 'source' } = KINDS[kind]
  const valuesOf = useValues(changed, noun)
  const hidden = changed_count - changed.length

  function toggle(id: number) {
    const ids = new Set(isAll ? changed.map((row) => row.id) : chosen)
    if (!ids.delete(id)) ids.add(id)
    onChange(ids)
  }

  return (
    <fieldset className={classes.changed} disabled={isDisabled}>
      <legend className={classes.legend}>
        {formatCount(changed_count, noun)} changed since. {changed_count === 1 ? 'It is' : 'They are'} left alone unless
        you choose {changed_count === 1 ? 'it' : 'them'}.
      </legend>
      <label className={classes.all}>
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = !isAll && chosen.size > 0
          }}
          onChange={() => onChange(isAll ? new Set() : 'all')}
        />
        {allLabel(preview, isRedo)}
      </label>
      <ul className={classes.rows}>
        {changed.map((row) => (
          <li key={row.id}>
            <label className={classes.row}>
              <input
                type="checkbox"
                aria-label={row.name}
                aria-describedby={`changed-${row.id}`}
                checked={isAll || chosen.has(row.id)}
                onChange={() => toggle(row.id)}
              />
              <span className={classes.name}>{row.name}</span>
              <span id={`changed-${row.id}`} className={classes.detail}>
                {since(row, noun)}
                <span className={classes.values}>{row.problem ?? valuesOf(row)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className={classes.soft}>… and {formatNumber(hidden)} more</p>}
    </fieldset>
  )
}

function whatOf(row: Row, noun: Noun) {
  if (noun === 'sheet') return 'Replaced again'
  if (noun !== 'source') return WHAT_OF_RECORDS[row.what]
  // The country that a source was added with is not kept.
  return row.what === 'edited' && row.effect === 'sources_removed' ? 'Changed' : WHAT[row.what]
}

/** 'Country changed by Vera Moroz, 2 hours ago'. */
function since(row: Row, noun: Noun) {
  const { by, at } = row
  return `${whatOf(row, noun)}${by ? ` by ${by.name}` : ''}${at ? `, ${formatAgo(at)}` : ''}`
}

/** What each row is now, and what the undo would make of it: 'Type: MODERATOR → STANDARD'. */
function useValues(changed: Row[], noun: Noun) {
  const isRecord = noun !== 'source' && noun !== 'sheet'
  const fieldsOf = ({ changes }: Row) => (isRecord ? rowsOf(noun, changes) : [])
  const nameOf = useNames(changed.flatMap(fieldsOf))
  return (row: Row) => {
    if (noun === 'sheet') return null
    if (noun === 'source') return valuesOfSource(row)
    const texts = fieldsOf(row).map(({ label, path, before, after }) => {
      const [now, then] = [before, after].map((value) => showValue(noun, path, value, nameOf))
      return `${label}: ${now} → ${then}`
    })
    return texts.join(', ')
  }
}

type Noun = NonNullable<(typeof KINDS)[OperationKindName]['noun']>

/** 'Poland → Ukraine'. */
function valuesOfSource(row: Row) {
  const { what, effect, current, earlier } = row
  if (effect === 'nothing') return null
  const country = (code: string | null) => (code === null ? NO_COUNTRY : countryName(code))
  const now = what === 'removed' ? 'removed' : country(current)
  return `${now} → ${effect === 'sources_removed' ? 'removed' : country(earlier)}`
}
