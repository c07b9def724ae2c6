import { listUsers, type UserChoice } from '@watchdesk/contract/users'
import { ChoiceField, DayFields } from '../../ui/list/filter-fields.tsx'
import { Presets } from '../../ui/list/preset-fields.tsx'
import { useChangeSearch, useListSearch } from '../../ui/list/use-list.ts'
import { WorkspacesField } from '../workspaces/shared/workspaces-field.tsx'

export type FieldName = 'role' | UserChoice | 'workspaces' | 'sign_in'
type FieldProps = { onDone: () => void; isInSheet: boolean }

const FILTERS = listUsers.list.filters

/** The field of a filter. */
export function FilterField({ of, onDone, isInSheet }: FieldProps & { of: FieldName }) {
  const { search } = useListSearch(listUsers)
  const change = useChangeSearch()
  const choose = (params: Record<string, string | undefined>) => {
    change(params)
    onDone()
  }
  if (of === 'workspaces') return <Workspaces isInSheet={isInSheet} />
  if (of !== 'sign_in') {
    const onChange = (value: string | undefined) => choose({ [of]: value })
    return <ChoiceField of={FILTERS[of]} isInSheet={isInSheet} value={search[of]} onChange={onChange} />
  }
  const { sign_in, signed_in_from, signed_in_to } = search
  return (
    <Presets
      label="Last sign-in"
      options={FILTERS.sign_in.options}
      isInSheet={isInSheet}
      value={sign_in}
      onChange={(value) => choose({ sign_in: value, signed_in_from: undefined, signed_in_to: undefined })}
    >
      <DayFields
        isInSheet
        from={{
          label: 'Signed in from',
          value: signed_in_from,
          onChange: (day) => change({ sign_in: undefined, signed_in_from: day }),
        }}
        to={{
          label: 'Signed in until',
          value: signed_in_to,
          onChange: (day) => change({ sign_in: undefined, signed_in_to: day }),
        }}
      />
    </Presets>
  )
}

/** Several workspaces replace the one of the select next to the search box, and the other way around. */
function Workspaces({ isInSheet }: { isInSheet: boolean }) {
  const { workspace_id, workspace_ids } = useListSearch(listUsers).search
  const change = useChangeSearch()
  const chosen = workspace_ids?.split(',').map(Number) ?? (workspace_id ? [workspace_id] : [])
  return (
    <WorkspacesField
      isInSheet={isInSheet}
      value={chosen}
      onChange={(ids) => change({ workspace_id: undefined, workspace_ids: ids.join(',') || undefined })}
    />
  )
}
