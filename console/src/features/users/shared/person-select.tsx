import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PAGE_SIZE } from '@watchdesk/contract/limits'
import { type KeyboardEvent, useState } from 'react'
import { useSearchKeys } from '../../../ui/form/use-search-keys.ts'
import { fullName, userQuery, usersQuery } from '../queries.ts'

/** `fallback` is the name of a person who is deleted. */
type PersonSelectProps = {
  value: number | undefined
  fallback: string | undefined
  /** False inside a popover, which would close otherwise. */
  withinPortal?: boolean
  onChange: (id: number | undefined) => void
}

/** Lists the first users; typed text is searched for on the server. */
export function PersonSelect({ value, fallback, withinPortal = true, onChange }: PersonSelectProps) {
  const [typed, setTyped] = useState('')
  // In a popover nothing else is to be chosen, so that its options are shown at once.
  const [isOpen, setOpen] = useState(!withinPortal)
  const [search] = useDebouncedValue(typed.trim(), 200)
  // A deleted user is not found, and still has events.
  const { data: chosen } = useQuery({ ...userQuery(value ?? 0), enabled: value !== undefined, retry: false })
  const chosenName = value === undefined ? '' : chosen ? fullName(chosen) : (fallback ?? `User ${value}`)
  const isSearch = search !== '' && search !== chosenName
  const {
    data: page,
    error,
    isPlaceholderData,
  } = useQuery({
    ...usersQuery({ page: 1, page_size: PAGE_SIZE, search: isSearch ? search : undefined }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const found = (page?.objects ?? []).map((user) => ({
    value: String(user.id),
    label: fullName(user),
    email: user.email,
  }))
  const isListed = found.some((option) => option.value === String(value))
  const hidden = value === undefined || isListed ? [] : [{ value: String(value), label: chosenName, email: '' }]
  const emails = new Map(found.map(({ value: id, email }) => [id, email]))

  function chooseFirst(event: KeyboardEvent<HTMLInputElement>) {
    const [first] = found
    if (!isOpen || !isSearch || !first) return
    event.preventDefault()
    event.stopPropagation()
    onChange(Number(first.value))
    setOpen(false)
  }

  const isCurrent = typed.trim() === search && (error !== null || (page !== undefined && !isPlaceholderData))
  const onKeyDownCapture = useSearchKeys({ isOpen, isCurrent, onEnter: chooseFirst })
  return (
    <Select
      aria-label="Person"
      data-autofocus={!withinPortal || undefined}
      comboboxProps={{ withinPortal }}
      placeholder="Anyone"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear person' }}
      data={[...found, ...hidden]}
      // The server has already filtered.
      filter={({ options }) => options.slice(0, found.length)}
      renderOption={({ option }) => (
        <span>
          {option.label}
          <br />
          <small>{emails.get(option.value)}</small>
        </span>
      )}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onKeyDownCapture={onKeyDownCapture}
      onSearchChange={setTyped}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      nothingFoundMessage={error ? 'Users could not be loaded.' : page ? 'No users match.' : 'Loading…'}
    />
  )
}
