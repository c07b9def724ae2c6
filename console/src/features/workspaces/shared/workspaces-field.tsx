import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { USER_FORM_WORKSPACES } from '@watchdesk/contract/limits'
import { useState } from 'react'
import { Boxes } from '../../../ui/list/preset-fields.tsx'
import { workspaceQuery, workspacesQuery } from '../queries.ts'
import classes from './workspaces-field.module.css'

type WorkspacesFieldProps = { isInSheet: boolean; value: number[]; onChange: (ids: number[]) => void }

/** Chooses several workspaces. The first 100 are listed after the chosen ones; typed text is searched for on the server. */
export function WorkspacesField({ isInSheet, value, onChange }: WorkspacesFieldProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  // Those chosen here later stay where they are.
  const [first] = useState(value)
  const chosen = useQueries({ queries: first.map((id) => workspaceQuery(id)) }).flatMap(({ data }) => data ?? [])
  const { data: page, error } = useQuery({
    ...workspacesQuery({ page: 1, page_size: USER_FORM_WORKSPACES, search: search || undefined }),
    placeholderData: keepPreviousData,
  })
  const offered = [...(search === '' ? chosen : []), ...(page?.objects ?? [])]
  // A list: the keys of an object would be sorted by id.
  const options = [...new Map(offered.map(({ id, name }) => [String(id), name]))]
  return (
    <div className={classes.field}>
      <TextInput
        label={isInSheet ? 'Workspaces' : undefined}
        aria-label="Workspaces"
        placeholder="Search workspaces"
        data-autofocus={!isInSheet || undefined}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div className={classes.options}>
        <Boxes
          label="Workspaces"
          options={options}
          value={value.map(String)}
          onChange={(ids) => onChange(ids.map(Number))}
        />
        {options.length === 0 &&
          (error ? 'Workspaces could not be loaded.' : page ? 'No workspaces match.' : 'Loading…')}
      </div>
    </div>
  )
}
