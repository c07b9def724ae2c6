import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FieldProps } from './field-props.ts'
import { vectorizationModelsQuery } from './queries.ts'

/** Offers the models by their labels. A model that is set but not offered any more is kept. */
export function ModelSelect({ value, onChange, ...props }: FieldProps) {
  const { data: models = {} } = useQuery(vectorizationModelsQuery)
  // A value can have two labels, but a select no two options of one value.
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
