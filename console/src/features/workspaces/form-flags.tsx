import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { settingsOf } from '@watchdesk/contract/workspace-settings'
import type { Save } from '../../ui/form/use-save.ts'
import classes from './form-flags.module.css'
import { LABELS } from './labels.ts'
import type { WorkspaceValues } from './values.ts'

/** The yes/no settings. */
export function FlagFields({ form }: Pick<Save<WorkspaceValues>, 'form'>) {
  return (
    <div className={classes.flags}>
      {settingsOf('yes_no').map((name) => (
        <Checkbox
          key={name}
          label={LABELS[name]}
          classNames={{ input: classes.box }}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
    </div>
  )
}
