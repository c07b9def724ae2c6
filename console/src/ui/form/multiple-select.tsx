import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useCanChange } from '../page/can-change.tsx'

type Value = string | number
type Choice = { value: Value; label: string }

type MultipleSelectProps = Omit<MultiSelectProps<Value>, 'data' | 'value' | 'onChange' | 'onBlur'> & {
  label: string
  /** What an empty selection means. */
  none: string
  data: Choice[]
  value?: Value[]
  onChange: (value: Value[]) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
}

const NOT_A_CHOICE = 'Choose from the list, or clear the text.'

/** A searchable multiple select. A name typed in full is selected; any other text stays and blocks the submit. */
export function MultipleSelect({
  label,
  none,
  data,
  value = [],
  onChange,
  onBlur,
  error,
  ...props
}: MultipleSelectProps) {
  const [typed, setTyped] = useState('')
  const [isLeft, setLeft] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const isKept = useRef(false)

  const text = typed.trim().toLowerCase()
  const named = data.find((choice) => choice.label.toLowerCase() === text)

  function choose() {
    if (named && !value.includes(named.value)) onChange([...value, named.value])
  }

  /** Enter after a name typed in full only selects it. Mantine handles Enter on a highlighted option. */
  function choosePressed(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !named) return
    const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
    if (list?.querySelector('[data-combobox-selected]')) return
    event.preventDefault()
    choose()
    setTyped('')
    setOpen(false)
  }

  function leave(event: FocusEvent<HTMLInputElement>) {
    choose()
    isKept.current = text !== '' && named === undefined
    setLeft(isKept.current)
    onBlur?.(event)
  }

  function search(text: string) {
    // Mantine clears the search on blur.
    if (isKept.current) isKept.current = false
    else {
      setTyped(text)
      setLeft(false)
    }
  }

  return (
    <MultiSelect
      {...props}
      disabled={!useCanChange()}
      label={label}
      data={data}
      value={value}
      onChange={onChange}
      onBlur={leave}
      onKeyDownCapture={choosePressed}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // The search is done: an open dropdown would keep covering the fields next to it.
      onOptionSubmit={() => typed !== '' && setOpen(false)}
      searchValue={typed}
      onSearchChange={search}
      error={isLeft ? NOT_A_CHOICE : error}
      data-unfinished={typed.trim() === '' ? undefined : true}
      placeholder={value.length === 0 ? none : undefined}
      searchable
      clearable
      // Keeps the capitals of names such as PowerBI.
      clearButtonProps={{ 'aria-label': `Clear ${label.replace(/^[A-Z][a-z]*\b/, (word) => word.toLowerCase())}` }}
      // The dropdown covers the message below the field.
      nothingFoundMessage={isLeft ? NOT_A_CHOICE : 'Nothing matches.'}
      withAlignedLabels
    />
  )
}
