import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, useCombobox } from '@mantine/core'
import type { Country } from '@watchdesk/contract/countries'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Code } from '../../ui/display/tag.tsx'
import type { Move } from './cells.ts'
import { countriesMatching } from './countries-matching.ts'
import classes from './editor.module.css'
import { type EditorProps, moveFor } from './text-editor.tsx'

const NONE = 'none'
const LIST = 'country-options'
const optionId = (code: string) => `${LIST}-${code}`

/** The country of a cell, in place, chosen by name in either language or by code. */
export function CountryEditor({ label, text, isTyped, countries, onFinish }: EditorProps & { countries: Country[] }) {
  const [typed, setTyped] = useState(isTyped ? '' : text)
  const [isSearch, setSearch] = useState(isTyped)
  const isFinished = useRef(false)
  const move = useRef<Move>('down')
  const combobox = useCombobox({ opened: true })
  const search = isSearch ? typed : ''
  const found = countriesMatching(countries, search)
  const current = found.findIndex(({ name }) => name === exactName(found, text))
  const isNoneShown = search === '' || NONE.startsWith(search.trim().toLowerCase())

  const [selected, setSelected] = useState<string | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: selects again what the text matches best
  useEffect(() => {
    if (search !== '') setSelected(combobox.selectFirstOption())
    // `None` comes first. Nothing is selected if the cell has no country that is known.
    else if (text === '' || current >= 0) {
      combobox.selectOption(current + 1)
      setSelected(optionId(found[current]?.code ?? NONE))
    }
  }, [search])

  function end(value: string | undefined, to: Move) {
    if (isFinished.current) return
    isFinished.current = true
    onFinish(value, to)
  }

  function keyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      return end(undefined, undefined)
    }
    if (event.key === 'ArrowDown') setSelected(combobox.selectNextOption())
    if (event.key === 'ArrowUp') setSelected(combobox.selectPreviousOption())
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.preventDefault()
    const target = moveFor(event, false)
    if (!target) return
    // Otherwise Enter would submit the form if nothing matches.
    event.preventDefault()
    move.current = target.move
    if (combobox.getSelectedOptionIndex() >= 0) combobox.clickSelectedOption()
    else if (search === '') end(undefined, target.move)
  }

  return (
    <Combobox
      store={combobox}
      floatingStrategy="fixed"
      position="bottom-start"
      width={300}
      onOptionSubmit={(value) => end(value === NONE ? '' : value, move.current)}
    >
      {/* Mantine's own attributes do not mention the option that is selected first. */}
      <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={false}>
        <input
          role="combobox"
          aria-expanded="true"
          aria-haspopup="listbox"
          aria-autocomplete="list"
          aria-controls={LIST}
          aria-activedescendant={selected ?? undefined}
          className={classes.input}
          type="text"
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: a person has just started to edit this cell
          autoFocus
          aria-label={label}
          value={typed}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setSearch(true)
          }}
          onKeyDown={keyDown}
          onBlur={() => end(exactName(found, typed), undefined)}
        />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Options id={LIST} className={classes.options} aria-label="Countries">
          {isNoneShown && (
            <Combobox.Option id={optionId(NONE)} value={NONE} className={classes.option}>
              <span className={classes.none}>None</span>
            </Combobox.Option>
          )}
          {found.map(({ code, name }) => (
            <Combobox.Option key={code} id={optionId(code)} value={name} className={classes.option}>
              {name} <Code>{code}</Code>
            </Combobox.Option>
          ))}
          {found.length === 0 && !isNoneShown && <Combobox.Empty>No country matches.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** A name or code that was typed in full is chosen when the field is left. */
function exactName(found: Country[], typed: string) {
  const text = typed.trim().toLowerCase()
  if (text === '') return undefined
  return found.find(({ code, names }) => [code, ...names].some((name) => name.toLowerCase() === text))?.name
}
