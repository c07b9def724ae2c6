import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { USER_FORM_WORKSPACES } from '@watchdesk/contract/limits'
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react'
import { ApiError } from '../../../api/call.ts'
import { useSearchKeys } from '../../../ui/form/use-search-keys.ts'
import { workspaceQuery, workspacesQuery } from '../queries.ts'
import { NO_WORKSPACE } from './no-workspace.ts'

type WorkspaceSelectProps = Omit<SelectProps, 'value' | 'onChange' | 'data' | 'defaultValue'> & {
  value: number | null
  onChange: (value: number | null) => void
}

/** Lists the first 100 workspaces; typed text is searched for on the server. */
export function WorkspaceSelect({ value, onChange, error: given, ...props }: WorkspaceSelectProps) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data: chosen, error: missing } = useQuery({
    ...workspaceQuery(value ?? 0),
    enabled: value !== null && value !== NO_WORKSPACE,
  })
  // The name of the selected workspace is not a search.
  const isSearch = search !== '' && search !== chosen?.name
  const {
    data: page,
    error,
    isPlaceholderData,
  } = useQuery({
    ...workspacesQuery({ page: 1, page_size: USER_FORM_WORKSPACES, search: isSearch ? search : undefined }),
    placeholderData: keepPreviousData,
  })

  const offered = page?.objects ?? []
  const isChosenOffered = value === null || offered.some(({ id }) => id === value)
  const options = isChosenOffered || isSearch || !chosen ? offered : [chosen, ...offered]
  const known = options.map(({ id, name }) => ({ value: String(id), label: name }))
  // A value without an option would show an empty field.
  const isKnown = value === null || options.some(({ id }) => id === value)
  const hidden = chosen && !isKnown ? [{ value: String(chosen.id), label: chosen.name }] : []
  const data = [...known, ...hidden]
  const current = data.find((option) => option.value === String(value))

  const isNotFound = missing instanceof ApiError && missing.status === 404
  const isMissing = value === NO_WORKSPACE || (value !== null && isNotFound)

  /** Typing replaces the selected name instead of appending to it. */
  function selectName({ currentTarget }: SyntheticEvent<HTMLInputElement>) {
    if (currentTarget.value === current?.label) currentTarget.select()
  }

  /** Selects the workspace with this name, or none if the text was cleared. False if the selection does not change. */
  function chooseByName(text: string) {
    const name = text.trim()
    // Before the selected name has loaded, the field is empty without having been cleared.
    const isCleared = name === '' && props.clearable && current !== undefined
    const option = findByName(data, name)
    if (!isCleared && (!option || option === current)) return false
    onChange(option ? Number(option.value) : null)
    return true
  }

  /**
   * Enter selects the workspace with the typed name, or else the first match. In an open list it only selects: the next
   * one submits the form.
   */
  function chooseOnEnter(event: KeyboardEvent<HTMLInputElement>) {
    const text = event.currentTarget.value.trim()
    if (isOpen) event.preventDefault()
    if (!chooseByName(text)) {
      const [first] = known
      if (!isOpen || (text !== '' && !first)) return
      if (isSearch && first && first !== current && !findByName(data, text)) onChange(Number(first.value))
    }
    // Mantine would select the option at the position that the selected one had when the dropdown opened.
    event.stopPropagation()
    setOpen(false)
  }

  const isCurrent = typed.trim() === search && (error !== null || (page !== undefined && !isPlaceholderData))
  const onKeyDownCapture = useSearchKeys({ isOpen, isCurrent, onEnter: chooseOnEnter })

  return (
    <Select
      {...props}
      error={isMissing ? 'This workspace does not exist. Choose another one.' : given}
      onFocus={(event) => {
        props.onFocus?.(event)
        selectName(event)
      }}
      onClick={selectName}
      onBlur={(event) => {
        chooseByName(event.currentTarget.value)
        props.onBlur?.(event)
      }}
      onKeyDownCapture={onKeyDownCapture}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      searchable
      data={data}
      // The server has already filtered. The selected workspace is listed only if it matches.
      filter={({ options: all }) => all.slice(0, known.length)}
      onSearchChange={setTyped}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      nothingFoundMessage={error ? 'Workspaces could not be loaded.' : page ? 'No workspaces match.' : 'Loading…'}
      clearButtonProps={{ 'aria-label': 'Clear workspace' }}
    />
  )
}

/** Names need not be unique. If several match, only an exact match of letter case counts. */
function findByName(options: { value: string; label: string }[], name: string) {
  const matches = options.filter(({ label }) => label.toLowerCase() === name.toLowerCase())
  const exact = matches.filter(({ label }) => label === name)
  return [matches, exact].find(({ length }) => length === 1)?.[0]
}
