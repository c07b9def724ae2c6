import type { ReactNode } from 'react'
import { Form } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import type { LinkTarget } from '../../ui/navigation/back-link.ts'
import { AccessSection } from './form-access.tsx'
import { AdvancedSection } from './form-advanced.tsx'
import { BasicFields } from './form-basics.tsx'
import { QuotasSection } from './form-quotas.tsx'
import type { Choices } from './queries.ts'
import type { WorkspaceValues } from './values.ts'

type WorkspaceFormProps = {
  save: Save<WorkspaceValues>
  choices: Choices
  action: string
  isNew?: boolean
  cancel: LinkTarget
  notice?: ReactNode
}

export function WorkspaceForm({ save, choices, action, cancel, isNew, notice }: WorkspaceFormProps) {
  return (
    <Form save={save} action={action} cancel={cancel} isNew={isNew} notice={notice}>
      <BasicFields form={save.form} />
      <QuotasSection save={save} />
      <AccessSection save={save} choices={choices} />
      <AdvancedSection save={save} choices={choices} />
    </Form>
  )
}
