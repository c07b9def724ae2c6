import { MultipleSelect } from '../../ui/form/multiple-select.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import { LABELS } from './labels.ts'
import type { Choices } from './queries.ts'
import { Section } from './section.tsx'
import type { WorkspaceValues } from './values.ts'

type AccessSectionProps = { save: Save<WorkspaceValues>; choices: Choices }

export function AccessSection({ save, choices }: AccessSectionProps) {
  const { form } = save
  const { featureflags, roles, available_case_types, powerbi_dashboards } = form.getValues()
  return (
    <Section
      save={save}
      title="Access"
      about="The features, case types and dashboards that this workspace can use"
      fields={['featureflags', 'roles', 'available_case_types', 'powerbi_dashboards']}
      isOpenAtFirst
    >
      <MultipleSelect
        none="None"
        label={LABELS.featureflags}
        data={withSelected(choices.featureflags, featureflags)}
        {...form.getInputProps('featureflags')}
      />
      <MultipleSelect
        none="None"
        label={LABELS.roles}
        data={withSelected(choices.roles, roles)}
        {...form.getInputProps('roles')}
      />
      <MultipleSelect
        none="None"
        label={LABELS.available_case_types}
        data={withSelected(choices.caseTypes, available_case_types)}
        {...form.getInputProps('available_case_types')}
      />
      <MultipleSelect
        none="None"
        label={LABELS.powerbi_dashboards}
        data={dashboardChoices(choices, powerbi_dashboards)}
        {...form.getInputProps('powerbi_dashboards')}
      />
    </Section>
  )
}

/** Values that the workspace already has stay available, even if they have left the catalog. */
function withSelected(offered: string[], held: string[]) {
  return [...new Set([...offered, ...held])].map((name) => ({ value: name, label: name }))
}

function dashboardChoices({ dashboards }: Choices, held: number[]) {
  const gone = held.filter((id) => !dashboards.some((dashboard) => dashboard.id === id))
  return [
    ...dashboards.map(({ id, name }) => ({ value: id, label: name })),
    ...gone.map((id) => ({ value: id, label: `Dashboard ${id}` })),
  ]
}
