import { Select, TextInput } from '@mantine/core'
import { type SettingOf, settingsOf } from '@watchdesk/contract/workspace-settings'
import { lazy, Suspense } from 'react'
import { FormRow } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import { LABELS } from './labels.ts'
import type { Choices } from './queries.ts'
import { Section } from './section.tsx'
import { useTryIt } from './use-try-it.tsx'
import type { WorkspaceValues } from './values.ts'

const FIELDS = settingsOf('text', 'choice', 'threshold', 'yes_no')
/** Loaded when the section is opened. A field that is wrong was edited before, so it is there to be focused. */
const ThresholdField = lazy(() =>
  import('./threshold-field.tsx').then((module) => ({ default: module.ThresholdField })),
)
const FlagFields = lazy(() => import('./form-flags.tsx').then((module) => ({ default: module.FlagFields })))

export function AdvancedSection({ save, choices }: { save: Save<WorkspaceValues>; choices: Choices }) {
  const { form } = save
  const tryIt = useTryIt(form.getValues().narratives_similarity_threshold)
  const text = (name: SettingOf<'text'>) => ({
    label: LABELS[name],
    autoComplete: 'off',
    ...form.getInputProps(name),
  })
  return (
    <Section
      save={save}
      title="Advanced configuration"
      about="Search indexes, models and similarity thresholds"
      fields={FIELDS}
    >
      <Suspense>
        <FormRow>
          <TextInput {...text('search_term_index_override')} />
          <TextInput {...text('vectorized_index_override')} />
        </FormRow>
        <FormRow>
          <Select
            label={LABELS.stories_vectors_model}
            placeholder="No model"
            data={modelChoices(choices.models, form.getValues().stories_vectors_model)}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear stories vectors model' }}
            {...form.getInputProps('stories_vectors_model')}
          />
          <TextInput {...text('homepage')} />
        </FormRow>
        <FormRow>
          <ThresholdField
            label={LABELS.search_similarity_threshold}
            {...form.getInputProps('search_similarity_threshold')}
          />
          <ThresholdField
            label={LABELS.narratives_similarity_threshold}
            {...form.getInputProps('narratives_similarity_threshold')}
            tool={tryIt.button}
          />
        </FormRow>
        {tryIt.panel}
        <FormRow>
          <TextInput {...text('keywords_parser_class')} />
          <TextInput {...text('language')} />
        </FormRow>
        <FlagFields form={form} />
      </Suspense>
    </Section>
  )
}

/** Options by label; a model that has left the catalog is shown by its name. */
function modelChoices(models: Choices['models'], held: string | null) {
  const known = Object.entries(models).map(([label, value]) => ({ value, label }))
  const isKnown = !held || known.some(({ value }) => value === held)
  return isKnown ? known : [...known, { value: held, label: held }]
}
