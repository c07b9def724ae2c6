import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { type FocusEvent, useRef, useState } from 'react'

type Value = string | number
type Choice = { value: Value; label: string }

type MultipleSelectProps = Omit<MultiSelectProps<Value>, 'data' | 'value' | 'onChange' | 'onBlur'> & {
  label: string
  /** What it means to choose none. */
  none: string
  data: Choice[]
  value?: Value[]
  onChange: (value: Value[]) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
}

const NOT_A_CHOICE = 'Choose from the list, or clear the text.'

/** Choices with a search. A name that is typed in full counts as chosen; any other text stays, and keeps the form from being sent. */
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

  function leave(event: FocusEvent<HTMLInputElement>) {
    const text = typed.trim().toLowerCase()
    const named = data.find((choice) => choice.label.toLowerCase() === text)
    if (named && !value.includes(named.value)) onChange([...value, named.value])
    isKept.current = text !== '' && named === undefined
    setLeft(isKept.current)
    onBlur?.(event)
  }

  function search(text: string) {
    // The component empties its search right after it is left.
    if (isKept.current) isKept.current = false
    else {
      setTyped(text)
      setLeft(false)
    }
  }

  return (
    <MultiSelect
      {...props}
      label={label}
      data={data}
      value={value}
      onChange={onChange}
      onBlur={leave}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // What was searched for is found: an open list would go on covering the fields next to it.
      onOptionSubmit={() => typed !== '' && setOpen(false)}
      searchValue={typed}
      onSearchChange={search}
      error={isLeft ? NOT_A_CHOICE : error}
      data-unfinished={typed.trim() === '' ? undefined : true}
      placeholder={value.length === 0 ? none : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      // The list covers the line below the field.
      nothingFoundMessage={isLeft ? NOT_A_CHOICE : 'Nothing matches.'}
      withAlignedLabels
    />
  )
}
