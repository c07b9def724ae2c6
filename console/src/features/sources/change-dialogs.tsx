import { Button } from '@mantine/core'
import { useState } from 'react'
import classes from '../../ui/dialog/dialog.module.css'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { formatCount } from '../../ui/display/format.ts'
import type { CountrySelect as CountryField } from '../../ui/form/country-select.tsx'
import { BinLink } from '../bin/shared/bin-link.tsx'
import type { Target } from './use-change-many.tsx'

const NO_COUNTRY = { value: '', label: 'No country' }

/** Asks before the sources are removed. */
export function askRemoval(target: Target) {
  const title = `Remove ${formatCount(target.count, 'source')}?`
  return openDialog<{ action: 'remove' } | undefined>(title, undefined, (answer) => (
    <>
      <Note {...target} />
      <p className={classes.text}>
        {described(target)} {target.count === 1 ? 'is' : 'are'} no longer monitored. <BinLink />
      </p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => answer(undefined)} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={() => answer({ action: 'remove' })}>
          Remove {formatCount(target.count, 'source')}
        </Button>
      </div>
    </>
  ))
}

type CountryChange = { action: 'set_country'; country: string | null }

/** Asks for the country of the sources. The field is loaded first: what is typed at once would be lost. */
export async function askCountry(target: Target) {
  const { CountrySelect } = await import('../../ui/form/country-select.tsx')
  const title = `Set the country of ${formatCount(target.count, 'source')}`
  return openDialog<CountryChange | undefined>(title, undefined, (answer) => (
    <CountryForm target={target} answer={answer} CountrySelect={CountrySelect} />
  ))
}

type CountryFormProps = {
  target: Target
  answer: (change: CountryChange | undefined) => void
  CountrySelect: typeof CountryField
}

function CountryForm({ target, answer, CountrySelect }: CountryFormProps) {
  const last = target.again?.last
  const [chosen, setChosen] = useState(last ? (last.country ?? '') : null)
  const [isMissing, setMissing] = useState(false)
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(chosen === null)
        if (chosen !== null) answer({ action: 'set_country', country: chosen || null })
      }}
    >
      <Note {...target} />
      <p className={classes.text}>{described(target)} will have this country. You can undo this.</p>
      <CountrySelect
        label="Country"
        placeholder="Choose a country"
        first={[NO_COUNTRY]}
        allowDeselect={false}
        isFocused
        comboboxProps={{ withinPortal: true }}
        error={isMissing && 'Choose a country.'}
        value={chosen}
        onChange={(code) => {
          setChosen(code)
          setMissing(false)
        }}
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={() => answer(undefined)}>
          Cancel
        </Button>
        <Button type="submit">Set the country of {formatCount(target.count, 'source')}</Button>
      </div>
    </form>
  )
}

function Note({ again }: Target) {
  return (
    again && (
      <p className="error-text" role="alert">
        {again.note}
      </p>
    )
  )
}

/** 'All 2,001 sources on TELEGRAM', 'The 12 selected sources'. */
function described({ count, isAll, words }: Target) {
  const number = count.toLocaleString()
  if (isAll) return words === '' ? `All ${number} sources, without any filter,` : `All ${number} sources ${words}`
  return count === 1 ? 'The selected source' : `The ${number} selected sources`
}
