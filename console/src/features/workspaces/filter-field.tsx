import { useQuery } from '@tanstack/react-query'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { ChoiceField, DayFields } from '../../ui/list/filter-fields.tsx'
import { OptionList } from '../../ui/list/option-list.tsx'
import { Boxes, PercentField, Presets } from '../../ui/list/preset-fields.tsx'
import { useChangeSearch, useListSearch } from '../../ui/list/use-list.ts'
import { featureflagsQuery, rolesQuery } from './queries.ts'

export type FieldName = 'status' | 'trial' | 'analytical_under' | 'ai_under' | 'role' | 'featureflag'
type FieldProps = { onDone: () => void; isInSheet: boolean }

const { status: STATUS, trial: TRIAL } = listWorkspaces.list.filters

/** The field of a filter. */
export function FilterField({ of, ...props }: FieldProps & { of: FieldName }) {
  if (of === 'status') return <StatusField {...props} />
  if (of === 'trial') return <TrialField {...props} />
  if (of === 'role' || of === 'featureflag') return <NameField of={of} {...props} />
  return <QuotaField of={of} {...props} />
}

function useFilters() {
  return { ...useListSearch(listWorkspaces).search, change: useChangeSearch() }
}

function StatusField({ isInSheet }: FieldProps) {
  const { status, change } = useFilters()
  return (
    <Boxes
      label={STATUS.label}
      isLabelled={isInSheet}
      options={Object.entries(STATUS.options)}
      value={status?.split(',') ?? []}
      onChange={(chosen) => change({ status: chosen.join(',') || undefined })}
    />
  )
}

/** Days replace a choice, and the other way around. */
function TrialField({ onDone, isInSheet }: FieldProps) {
  const { trial, trial_from, trial_to, change } = useFilters()
  return (
    <Presets
      label={TRIAL.label}
      options={TRIAL.options}
      isInSheet={isInSheet}
      value={trial}
      onChange={(value) => {
        change({ trial: value, trial_from: undefined, trial_to: undefined })
        onDone()
      }}
    >
      <DayFields
        isInSheet
        from={{
          label: 'Trial ends from',
          value: trial_from,
          onChange: (day) => change({ trial: undefined, trial_from: day }),
        }}
        to={{
          label: 'Trial ends until',
          value: trial_to,
          onChange: (day) => change({ trial: undefined, trial_to: day }),
        }}
      />
    </Presets>
  )
}

const LEFT = { 0: 'Used up', 10: 'Less than 10% left', 25: 'Less than 25% left', 50: 'Less than 50% left' }

function QuotaField({ of, onDone, isInSheet }: FieldProps & { of: 'analytical_under' | 'ai_under' }) {
  const { change, ...search } = useFilters()
  const value = search[of]
  const label = of === 'ai_under' ? 'AI quota' : 'Analytical quota'
  const set = (under: number | undefined) => {
    change({ [of]: under })
    onDone()
  }
  return (
    <Presets
      label={label}
      options={LEFT}
      isInSheet={isInSheet}
      value={value !== undefined && value in LEFT ? String(value) : undefined}
      onChange={(under) => set(under === undefined ? undefined : Number(under))}
    >
      <PercentField label={`${label} left, less than (%)`} value={value} onChange={set} />
    </Presets>
  )
}

function NameField({ of, onDone, isInSheet }: FieldProps & { of: 'role' | 'featureflag' }) {
  const { change, ...search } = useFilters()
  const { data: roles } = useQuery({ ...rolesQuery, enabled: of === 'role' })
  const { data: flags } = useQuery({ ...featureflagsQuery, enabled: of === 'featureflag' })
  const names = of === 'role' ? roles : flags
  const label = of === 'role' ? 'Role' : 'Feature flag'
  const choose = (value: string | undefined) => {
    change({ [of]: value })
    onDone()
  }
  if (isInSheet) {
    const options = Object.fromEntries((names ?? []).map((name) => [name, name]))
    return <ChoiceField of={{ label, placeholder: 'All', options }} isInSheet value={search[of]} onChange={choose} />
  }
  return (
    <OptionList
      label={label}
      options={names?.map((name) => ({ value: name, label: name }))}
      chosen={search[of]}
      onChoose={choose}
    />
  )
}
