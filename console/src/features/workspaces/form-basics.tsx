import '@mantine/core/styles/Combobox.layer.css'
import { Select, Textarea, TextInput } from '@mantine/core'
import { WORKSPACE_STATUSES } from '@watchdesk/contract/enums'
import { FormRow, FormSheet } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import { hasPassed } from './day.ts'
import { DayField } from './day-field.tsx'
import classes from './form-basics.module.css'
import { LABELS } from './labels.ts'
import type { WorkspaceValues } from './values.ts'

export function BasicFields({ form }: Pick<Save<WorkspaceValues>, 'form'>) {
  return (
    <FormSheet>
      <TextInput label={LABELS.name} required autoComplete="off" {...form.getInputProps('name')} />
      <Textarea label={LABELS.description} rows={2} {...form.getInputProps('description')} />
      <FormRow>
        <Select
          label={LABELS.status}
          placeholder="No status"
          data={WORKSPACE_STATUSES}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear status' }}
          {...form.getInputProps('status')}
        />
        {form.getValues().status === 'TRIAL' ? (
          <DayField
            label={LABELS.trial_end_date}
            required
            warning={(day) => (hasPassed(day) ? 'This date is in the past. The trial has already ended.' : undefined)}
            {...form.getInputProps('trial_end_date')}
          />
        ) : (
          // Keeps the width of the dropdown when the date field appears and disappears.
          <span className={classes.place} />
        )}
      </FormRow>
    </FormSheet>
  )
}
