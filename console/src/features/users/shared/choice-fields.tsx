import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select, type SelectProps } from '@mantine/core'
import { USER_CHOICE_NAMES, USER_CHOICES, type UserChoice } from '@watchdesk/contract/users'

type ChoiceFieldProps = { of: UserChoice } & Pick<SelectProps, 'value' | 'onChange'>

export function ChoiceField({ of, ...props }: ChoiceFieldProps) {
  const { label, options } = USER_CHOICES[of]
  const data = Object.entries(options).map(([value, text]) => ({ value, label: text }))
  return <Select label={label} data={data} allowDeselect={false} {...props} />
}

/** The fields of a user with a few values. */
export function ChoiceFields({ propsOf }: { propsOf: (field: UserChoice) => Omit<ChoiceFieldProps, 'of'> }) {
  return USER_CHOICE_NAMES.map((field) => <ChoiceField key={field} of={field} {...propsOf(field)} />)
}
