import { useId } from 'react'
import type { Save } from '../../ui/form/use-save.ts'
import { amountProblem, wireAmount } from './amount.ts'
import { AmountField } from './amount-field.tsx'
import { DayField } from './day-field.tsx'
import classes from './form-quotas.module.css'
import { QuotaBar } from './quota-bar.tsx'
import { Section } from './section.tsx'
import { renewalText } from './shared/renewal-text.ts'
import { useLifeCycle } from './use-life-cycle.ts'
import type { WorkspaceValues } from './values.ts'

export function QuotasSection({ save }: { save: Save<WorkspaceValues> }) {
  return (
    <Section
      save={save}
      title="Quotas"
      about="How much this workspace can use until the next renewal date"
      fields={['analytical_quota', 'ai_quota']}
      isOpenAtFirst
    >
      <div className={classes.quotas}>
        <QuotaFields form={save.form} label="Analytical quota" name="analytical_quota" />
        <QuotaFields form={save.form} label="AI quota" name="ai_quota" />
      </div>
    </Section>
  )
}

type QuotaFieldsProps = Pick<Save<WorkspaceValues>, 'form'> & {
  label: string
  name: 'analytical_quota' | 'ai_quota'
}

function QuotaFields({ form, label, name }: QuotaFieldsProps) {
  const id = useId()
  const lifeCycle = useLifeCycle()
  const { balance, limit } = form.getValues()[name]

  function hint(date: string) {
    return lifeCycle && renewalText(lifeCycle, { date, limit: amountOf(limit) })
  }

  return (
    <fieldset className={classes.quota} aria-labelledby={id}>
      <QuotaBar label={label} labelId={id} balance={amountOf(balance)} limit={amountOf(limit)} />
      <div className={classes.amounts}>
        <AmountField label="Balance" required {...form.getInputProps(`${name}.balance`)} />
        <AmountField label="Limit" required {...form.getInputProps(`${name}.limit`)} />
      </div>
      <DayField label="Next renewal date" required hint={hint} {...form.getInputProps(`${name}.renewal_date`)} />
    </fieldset>
  )
}

function amountOf(text: string) {
  return amountProblem(text) ? undefined : (wireAmount(text) ?? undefined)
}
