import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanChange } from '../../ui/page/can-change.tsx'
import type { FieldProps } from './field-props.ts'
import { caseTypesQuery } from './queries.ts'
import { listIn } from './values.ts'

/** Edits a JSON list as tags. Text that is not a JSON list stays a text input, so that it can be corrected. */
export function CaseTypesInput({ value, onChange, error, ...props }: FieldProps) {
  const { data: suggestions = [] } = useQuery(caseTypesQuery)
  const canChange = useCanChange()
  const [held] = useState(() => listIn(value))
  if (!held) {
    return (
      <TextInput {...props} error={error} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    )
  }
  // Only a warning: another server may accept it.
  const unknown =
    suggestions.length > 0 && (listIn(value) ?? []).find((name) => ![...suggestions, ...held].includes(name))
  return (
    <TagsInput
      {...props}
      disabled={!canChange}
      error={unknown ? `${unknown} is not a case type. Choose from: ${suggestions.join(', ')}.` : error}
      data={suggestions}
      value={listIn(value) ?? []}
      onChange={(list) => onChange(JSON.stringify(list))}
      placeholder={canChange ? 'Add a case type' : undefined}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all case types' }}
      maxDropdownHeight={300}
      // A dropdown below the field would cover the message.
      inputWrapperOrder={['label', 'description', 'error', 'input']}
    />
  )
}
