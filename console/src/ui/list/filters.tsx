import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { Filter, ListOptions } from '@watchdesk/contract/list'
import type { ReactNode } from 'react'
import { SearchBox } from './search-box.tsx'
import { useChangeSearch } from './use-list.ts'

/** The search box and filters of a list; `children` are placed between them. */
export function Filters({ of: { list }, children }: { of: { list: ListOptions }; children?: ReactNode }) {
  return (
    <>
      {list.search && <SearchBox label={list.search} />}
      {children}
      {Object.entries(list.filters ?? {}).map(([name, filter]) => (
        <ChoiceFilter key={name} name={name} {...filter} />
      ))}
    </>
  )
}

function ChoiceFilter({ name, label, placeholder, options }: Filter & { name: string }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const change = useChangeSearch()
  const chosen = search[name]
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      data={Object.entries(options).map(([value, text]) => ({ value, label: text }))}
      value={typeof chosen === 'string' ? chosen : null}
      onChange={(value) => change({ [name]: value ?? undefined })}
    />
  )
}
