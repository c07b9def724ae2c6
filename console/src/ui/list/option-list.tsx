import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import classes from './option-list.module.css'

type Option = { value: string; label: string }

type OptionListProps = {
  label: string
  /** Undefined while they load. */
  options: Option[] | undefined
  chosen: string | undefined
  onChoose: (value: string) => void
  /** The options for a typed text, the best one first. */
  match?: ((options: Option[], typed: string) => Option[]) | undefined
}

/** A search field with its options below, for a popover. */
export function OptionList({ label, options, chosen, onChoose, match = containing }: OptionListProps) {
  const combobox = useCombobox({ opened: true })
  const [typed, setTyped] = useState('')
  const shown = match(options ?? [], typed)
  const input = useRef<HTMLInputElement>(null)
  const isEntered = useRef(false)
  const id = useId()
  // The input refers to the list, which Mantine knows only after the first render.
  const [, setRendered] = useState(false)
  useEffect(() => {
    setRendered(true)
    // The popover may be open before its code has loaded.
    input.current?.focus()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter chooses the best match of what was typed
  useEffect(() => {
    const [best] = shown
    if (isEntered.current && options && best) onChoose(best.value)
    if (typed.trim() === '') combobox.resetSelectedOption()
    else combobox.selectFirstOption()
  }, [typed, options === undefined])

  return (
    <Combobox store={combobox} onOptionSubmit={onChoose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          ref={input}
          aria-label={label}
          placeholder={`Search ${label.toLowerCase()}`}
          data-autofocus
          value={typed}
          onChange={(event) => {
            isEntered.current = false
            setTyped(event.currentTarget.value)
          }}
          onKeyDown={({ key }) => {
            // Chosen once the options are there.
            if (key === 'Enter' && !options && typed.trim() !== '') isEntered.current = true
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options id={id} className={classes.options} aria-label={label}>
        {shown.map(({ value, label: text }) => (
          <Combobox.Option key={value} value={value} active={value === chosen} className={classes.option}>
            {text}
          </Combobox.Option>
        ))}
        {shown.length === 0 && <Combobox.Empty>{options ? 'Nothing matches.' : 'Loading…'}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  )
}

function containing(options: Option[], typed: string) {
  const text = typed.trim().toLowerCase()
  return options.filter(({ label }) => label.toLowerCase().includes(text))
}
