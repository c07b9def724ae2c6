import { Textarea, TextInput } from '@mantine/core'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { ReactNode } from 'react'
import { webLink } from '../../ui/display/web-link.ts'
import { Form, FormSheet } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import classes from './form.module.css'
import { LinkField } from './link-field.tsx'
import { Preview } from './preview.tsx'
import { LABELS } from './shared/labels.ts'

type DashboardValues = { name: string; description: string; embed_link: string }

export const NEW_DASHBOARD: DashboardValues = { name: '', description: '', embed_link: '' }

export function valuesOf({ name, description, embed_link }: Dashboard): DashboardValues {
  return { name, description: description ?? '', embed_link }
}

type DashboardFormProps = { save: Save<DashboardValues>; action: string; isNew?: boolean; notice?: ReactNode }

export function DashboardForm({ save, action, isNew, notice }: DashboardFormProps) {
  const { getInputProps, getValues } = save.form
  return (
    <div className={classes.columns}>
      <Form save={save} action={action} cancel={{ to: '/dashboards' }} isNew={isNew} notice={notice}>
        <FormSheet>
          <TextInput label={LABELS.name} required autoComplete="off" {...getInputProps('name')} />
          <Textarea label={LABELS.description} rows={3} {...getInputProps('description')} />
          <LinkField label={LABELS.embed_link} {...getInputProps('embed_link')} />
        </FormSheet>
      </Form>
      <Preview link={webLink(getValues().embed_link)} />
    </div>
  )
}
