import type { UndoPreview } from '@watchdesk/contract/imports'
import { countryName } from '../../ui/display/country-name.ts'
import { formatAgo, formatCount, formatNumber } from '../../ui/display/format.ts'
import { allLabel, type Chosen } from './shared/effects.ts'
import classes from './undo-dialog.module.css'

type Row = UndoPreview['changed'][number]

const WHAT: Record<Row['what'], string> = {
  edited: 'Country changed',
  removed: 'Removed',
  restored: 'Restored',
}
const NO_COUNTRY = 'no country'

type ChangedProps = {
  preview: UndoPreview
  isRedo: boolean
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  isDisabled: boolean
}

/** The rows that changed since. They are left alone unless chosen. */
export function ChangedRows({ preview, isRedo, chosen, onChange, isDisabled }: ChangedProps) {
  const { changed, changed_count } = preview
  const isAll = chosen === 'all'
  const noun = changed[0] && isSheet(changed[0]) ? 'sheet' : 'source'
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
                {since(row)}
                <span className={classes.values}>{valuesOf(row)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className={classes.soft}>… and {formatNumber(hidden)} more</p>}
    </fieldset>
  )
}

function isSheet({ effect }: Row) {
  return effect === 'sheet_rows_put_back'
}

function whatOf(row: Row) {
  if (isSheet(row)) return 'Replaced again'
  // The country that a source was added with is not kept.
  return row.what === 'edited' && row.effect === 'sources_removed' ? 'Changed' : WHAT[row.what]
}

/** 'Country changed by Vera Moroz, 2 hours ago'. */
function since(row: Row) {
  const { by, at } = row
  return `${whatOf(row)}${by ? ` by ${by.name}` : ''}${at ? `, ${formatAgo(at)}` : ''}`
}

/** What it is now, and what the undo would make of it: 'Poland → Ukraine'. */
function valuesOf(row: Row) {
  const { what, effect, current, earlier } = row
  if (isSheet(row) || effect === 'nothing') return null
  const country = (code: string | null) => (code === null ? NO_COUNTRY : countryName(code))
  const now = what === 'removed' ? 'removed' : country(current)
  return `${now} → ${effect === 'sources_removed' ? 'removed' : country(earlier)}`
}
