import { TextInput } from '@mantine/core'
import { Code } from '../../ui/display/tag.tsx'
import { FormRow, FormSheet } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { CaseTypesInput } from './case-types-input.tsx'
import type { FieldProps } from './field-props.ts'
import classes from './fields.module.css'
import { ModelSelect } from './model-select.tsx'
import { CASE_TYPES, type ConfigValues, isSheet, labelOf, MODEL, textOf, withoutOwnHost } from './values.ts'

const SHEETS = 'Source management imports each platform’s sources from its sheet.'
const ENTER_SHEET = 'Enter the URL of a Google sheet or of a sheet in this console.'

/** A field for every key, grouped into cards. */
export function ConfigFields({ form }: { form: Save<ConfigValues>['form'] }) {
  const canChange = useCanChange()
  const values = form.getValues()
  const keys = Object.keys(values).filter((key) => key !== CASE_TYPES && key !== MODEL)
  const sheets = keys.filter(isSheet)
  const others = keys.filter((key) => !isSheet(key))

  // `getInputProps` would parse a key with dots as a path.
  function field(key: string): FieldProps {
    return {
      label: labelOf(key),
      description: <Code>{key}</Code>,
      value: textOf(values[key]),
      onChange: (value) => {
        form.setValues({ [key]: isSheet(key) ? withoutOwnHost(value) : value })
        form.clearFieldError(key)
      },
      error: form.errors[key],
      'data-path': key,
    }
  }

  return (
    <>
      <FormSheet>
        <Heading title="Workspace defaults" text="Default values for new workspaces" />
        {CASE_TYPES in values && <CaseTypesInput {...field(CASE_TYPES)} />}
        <ModelSelect {...field(MODEL)} />
      </FormSheet>
      {sheets.length > 0 && (
        <FormSheet>
          <Heading title="Source sheets" text={canChange ? `${SHEETS} ${ENTER_SHEET}` : SHEETS} />
          <FormRow>{sheets.map((key) => textField(key, field(key)))}</FormRow>
        </FormSheet>
      )}
      {others.length > 0 && (
        <FormSheet>
          <Heading title="Other settings" />
          {others.map((key) => textField(key, field(key)))}
        </FormSheet>
      )}
    </>
  )
}

function textField(key: string, { onChange, ...props }: FieldProps) {
  return (
    <TextInput
      key={key}
      autoComplete="off"
      spellCheck={false}
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Heading({ title, text }: { title: string; text?: string }) {
  return (
    <div>
      <h2 className={classes.title}>{title}</h2>
      {text && <p className={classes.text}>{text}</p>}
    </div>
  )
}
