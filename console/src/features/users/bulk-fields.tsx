import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { UsersChange } from '@watchdesk/contract/operations/changes'
import { USER_CHOICE_NAMES, USER_CHOICES } from '@watchdesk/contract/users'
import type { FieldsProps } from '../operations/shared/bulk-operation.ts'
import { workspaceQuery } from '../workspaces/queries.ts'
import { WorkspaceSelect } from '../workspaces/shared/workspace-select.tsx'
import { labelOf } from './shared/labels.ts'

export function MoveFields({ values, onChange, problem }: FieldsProps<number | null>) {
  return (
    <WorkspaceSelect
      label="Workspace"
      placeholder="Choose a workspace"
      allowDeselect={false}
      data-autofocus
      comboboxProps={{ withinPortal: true }}
      error={problem}
      value={values}
      onChange={onChange}
    />
  )
}

export function WorkspaceName({ id }: { id: number | null }) {
  const { data } = useQuery({ ...workspaceQuery(id ?? 0), enabled: id !== null })
  return data?.name ?? `workspace ${id}`
}

export type Changed = Omit<NonNullable<UsersChange['set']>, 'workspace_id'>

export const NOTHING_CHOSEN = 'Choose what to change.'

const KEPT = 'Keep'
const YES_NO = [
  { value: '=true', label: 'Yes' },
  { value: '=false', label: 'No' },
]

type Field = { name: keyof Changed; options: { value: string; label: string }[] }

const FIELDS: Field[] = [
  ...USER_CHOICE_NAMES.map((name) => ({ name, options: optionsOf(USER_CHOICES[name].options) })),
  { name: 'is_admin', options: YES_NO },
  { name: 'is_super_admin', options: YES_NO },
]

/** The empty value is one of them too. */
function optionsOf(options: Readonly<Record<string, string>>) {
  return Object.entries(options).map(([value, label]) => ({ value: `=${value}`, label }))
}

/** Each field is kept unless a value is chosen. */
export function ChangeFields({ values, onChange, problem }: FieldsProps<Changed>) {
  function set(name: keyof Changed, chosen: string | null) {
    const { [name]: _, ...others } = values
    if (chosen === null) return onChange(others)
    const text = chosen.slice(1)
    onChange({ ...others, [name]: name.startsWith('is_') ? text === 'true' : text })
  }
  return FIELDS.map(({ name, options }, index) => (
    <Select
      key={name}
      label={labelOf(name)}
      placeholder={KEPT}
      data={options}
      clearable
      clearButtonProps={{ 'aria-label': `Keep ${labelOf(name).toLowerCase()}` }}
      data-autofocus={index === 0 || undefined}
      comboboxProps={{ withinPortal: true }}
      error={index === 0 && problem}
      value={values[name] === undefined ? null : `=${values[name]}`}
      onChange={(chosen) => set(name, chosen)}
    />
  ))
}

/** 'type and language'. */
export function fieldNames(fields: string[]) {
  const names = FIELDS.filter(({ name }) => fields.includes(name)).map(({ name }) =>
    name.startsWith('is_') ? 'role' : labelOf(name).toLowerCase(),
  )
  return new Intl.ListFormat('en').format(new Set(names))
}
