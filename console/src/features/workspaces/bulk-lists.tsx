import { useQuery } from '@tanstack/react-query'
import type { ListChange } from '@watchdesk/contract/operations/changes'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { MultipleSelect } from '../../ui/form/multiple-select.tsx'
import { dashboardsQuery } from '../dashboards/queries.ts'
import type { FieldsProps } from '../operations/shared/bulk-operation.ts'
import { featureflagsQuery, rolesQuery } from './queries.ts'

type Value = string | number
type Choice = { value: Value; label: string }
export type Lists<Name extends string, Item> = { [Key in Name]: { add: Item[]; remove: Item[] } }

export type RolesValues = Lists<'roles' | 'featureflags', string>
export type DashboardsValues = Lists<'powerbi_dashboards', number>

const NONE = { add: [], remove: [] }
export const NO_ROLES: RolesValues = { roles: NONE, featureflags: NONE }
export const NO_DASHBOARDS: DashboardsValues = { powerbi_dashboards: NONE }

export function RolesFields({ values, onChange, problem }: FieldsProps<RolesValues>) {
  const roles = useQuery(rolesQuery)
  const featureflags = useQuery(featureflagsQuery)
  const failed = [roles, featureflags].find(({ error }) => error)
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  if (!roles.data || !featureflags.data) return <Loading label="Loading roles and feature flags" />
  return (
    <>
      <ListFields
        many="roles"
        choices={roles.data.map(named)}
        value={values.roles}
        onChange={(list) => onChange({ ...values, roles: list as RolesValues['roles'] })}
      />
      <ListFields
        many="feature flags"
        choices={featureflags.data.map(named)}
        value={values.featureflags}
        onChange={(list) => onChange({ ...values, featureflags: list as RolesValues['featureflags'] })}
      />
      <Problem text={problem} />
    </>
  )
}

export function DashboardsFields({ values, onChange, problem }: FieldsProps<DashboardsValues>) {
  const { data, error, refetch } = useQuery(dashboardsQuery)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Loading label="Loading dashboards" />
  return (
    <>
      <ListFields
        many="dashboards"
        choices={data.map(({ id, name }) => ({ value: id, label: name }))}
        value={values.powerbi_dashboards}
        onChange={(list) => onChange({ powerbi_dashboards: list as DashboardsValues['powerbi_dashboards'] })}
      />
      <Problem text={problem} />
    </>
  )
}

function named(name: string): Choice {
  return { value: name, label: name }
}

type ListFieldsProps = {
  many: string
  choices: Choice[]
  value: { add: Value[]; remove: Value[] }
  onChange: (value: { add: Value[]; remove: Value[] }) => void
}

/** What is added is not offered for removal, and the other way round. */
function ListFields({ many, choices, value, onChange }: ListFieldsProps) {
  const without = (others: Value[]) => choices.filter((choice) => !others.includes(choice.value))
  return (
    <>
      <MultipleSelect
        label={`Add ${many}`}
        none="None"
        data={without(value.remove)}
        comboboxProps={{ withinPortal: true }}
        value={value.add}
        onChange={(add) => onChange({ ...value, add })}
      />
      <MultipleSelect
        label={`Remove ${many}`}
        none="None"
        data={without(value.add)}
        comboboxProps={{ withinPortal: true }}
        value={value.remove}
        onChange={(remove) => onChange({ ...value, remove })}
      />
    </>
  )
}

function Problem({ text }: { text: string | undefined }) {
  return (
    text && (
      <p className="error-text" role="alert">
        {text}
      </p>
    )
  )
}

/** The lists that change, as the API takes them. */
export function listsSet<Name extends string, Item>(values: Lists<Name, Item>) {
  const changed = Object.entries<ListChange<Item>>(values).flatMap(([name, { add = [], remove = [] }]) =>
    add.length + remove.length === 0
      ? []
      : [[name, { ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) }]],
  )
  return Object.fromEntries(changed) as { [Key in Name]?: ListChange<Item> }
}

export function listsProblem(values: Lists<string, Value>) {
  return Object.keys(listsSet(values)).length === 0 ? 'Choose what to add or remove.' : undefined
}
