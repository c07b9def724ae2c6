import '@mantine/core/styles/Combobox.layer.css'
import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { USER_FORM_WORKSPACES } from '@watchdesk/contract/limits'
import { type SyntheticEvent, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { NO_WORKSPACE } from '../../ui/list-search.ts'
import { workspaceQuery, workspacesQuery } from '../workspaces/queries.ts'

type WorkspaceSelectProps = Omit<SelectProps, 'value' | 'onChange' | 'data' | 'defaultValue'> & {
  value: number | null
  onChange: (value: number | null) => void
}

/** Offers the first 100 workspaces; what one types is searched among all of them on the server. */
export function WorkspaceSelect({ value, onChange, error: given, ...props }: WorkspaceSelectProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data: chosen, error: missing } = useQuery({
    ...workspaceQuery(value ?? 0),
    enabled: value !== null && value !== NO_WORKSPACE,
  })
  // The field's own text is no search: it names what is chosen.
  const isSearch = search !== '' && search !== chosen?.name
  const { data: page, error } = useQuery({
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

  const isNotFound = missing instanceof ApiError && missing.status === 404
  const isMissing = value === NO_WORKSPACE || (value !== null && isNotFound)

  /** What one types takes the place of the chosen name; it does not continue it. */
  function selectName({ currentTarget }: SyntheticEvent<HTMLInputElement>) {
    const option = data.find((option) => option.value === String(value))
    if (currentTarget.value === option?.label) currentTarget.select()
  }

  return (
    <Select
      {...props}
      error={isMissing ? 'This workspace does not exist. Choose another one.' : given}
      onFocus={(event) => {
        props.onFocus?.(event)
        selectName(event)
      }}
      onClick={selectName}
      searchable
      data={data}
      // The server has searched already. What is chosen is only listed where it was found.
      filter={({ options: all }) => all.slice(0, known.length)}
      onSearchChange={setTyped}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      nothingFoundMessage={error ? 'Workspaces could not be loaded.' : page ? 'No workspace matches.' : 'Loading…'}
      clearButtonProps={{ 'aria-label': 'Clear workspace' }}
    />
  )
}
