import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FieldProps } from './field-props.ts'
import { vectorizationModelsQuery } from './queries.ts'

/** Lists the models by their labels. A selected model that is no longer offered is kept. */
export function ModelSelect({ value, onChange, ...props }: FieldProps) {
  const { data: models = {} } = useQuery(vectorizationModelsQuery)
  // Two labels can have the same value, but the options of a select must be unique.
  const labels = new Map(value === '' ? [] : [[value, value]])
  for (const [label, model] of Object.entries(models)) labels.set(model, label)
  return (
    <Select
      {...props}
      data={[...labels].map(([model, label]) => ({ value: model, label }))}
      value={value === '' ? null : value}
      onChange={(model) => onChange(model ?? '')}
      placeholder="No model chosen"
      allowDeselect={false}
    />
  )
}
