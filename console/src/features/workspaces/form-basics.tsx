import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select, Textarea, TextInput } from '@mantine/core'
import { WORKSPACE_STATUSES } from '@watchdesk/contract/enums'
import { FormRow, FormSheet } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import { hasPassed } from './day.ts'
import { DayField } from './day-field.tsx'
import classes from './form-basics.module.css'
import { DEACTIVATED_TEXT, LABELS } from './labels.ts'
import { useLifeCycle } from './use-life-cycle.ts'
import type { WorkspaceValues } from './values.ts'

const PASSED = 'This date is in the past. The trial has already ended.'
const KEPT = ' Its users keep their access.'

/** What happens after the last day, as in the setting of the server. */
const TRIAL_END = {
  show: `After this day (UTC), the trial is shown as ended.${KEPT}`,
  deactivate: 'At the end of this day (UTC), the workspace is deactivated.',
}

export function BasicFields({ form }: Pick<Save<WorkspaceValues>, 'form'>) {
  const lifeCycle = useLifeCycle()
  const { status } = form.getValues()
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
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={status === 'DEACTIVATED' && DEACTIVATED_TEXT}
          clearButtonProps={{ 'aria-label': 'Clear status' }}
          {...form.getInputProps('status')}
        />
        {status === 'TRIAL' ? (
          <DayField
            label={LABELS.trial_end_date}
            required
            warning={(day) => (hasPassed(day) ? `${PASSED}${lifeCycle?.trial_end === 'show' ? KEPT : ''}` : undefined)}
            hint={() => lifeCycle && TRIAL_END[lifeCycle.trial_end]}
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
