import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import type { QuotaChange } from '@watchdesk/contract/operations/changes'
import type { FieldsProps } from '../operations/shared/bulk-operation.ts'
import { amountProblem, wireAmount } from './amount.ts'
import { AmountField } from './amount-field.tsx'
import classes from './bulk-quotas.module.css'

const BALANCES = {
  keep: 'Keep',
  balance: 'Set to',
  top_up: 'Top up by',
  fill: 'Fill up to the limit',
} as const

type Balance = keyof typeof BALANCES
type QuotaValues = { limit: string; mode: Balance; amount: string }
export type QuotasValues = { analytical_quota: QuotaValues; ai_quota: QuotaValues }

const KEPT: QuotaValues = { limit: '', mode: 'keep', amount: '' }
export const KEPT_QUOTAS: QuotasValues = { analytical_quota: KEPT, ai_quota: KEPT }

const LABELS = { analytical_quota: 'Analytical quota', ai_quota: 'AI quota' } as const
const NAMES = Object.keys(LABELS) as (keyof QuotasValues)[]
const NOTHING_CHOSEN = 'Choose what to change.'

export function QuotasFields({ values, onChange, problem }: FieldsProps<QuotasValues>) {
  return (
    <>
      {NAMES.map((name, index) => (
        <QuotaFields
          key={name}
          label={LABELS[name]}
          isFirst={index === 0}
          isChecked={problem !== undefined}
          values={values[name]}
          onChange={(quota) => onChange({ ...values, [name]: quota })}
        />
      ))}
      {problem === NOTHING_CHOSEN && (
        <p className="error-text" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

type QuotaFieldsProps = Omit<FieldsProps<QuotaValues>, 'problem'> & {
  label: string
  isFirst: boolean
  /** Whether it says what is missing. */
  isChecked: boolean
}

function QuotaFields({ label, isFirst, isChecked, values, onChange }: QuotaFieldsProps) {
  const { limit, mode, amount } = values
  const errors = isChecked ? problemsOf(values) : undefined
  return (
    <fieldset className={classes.quota}>
      <legend className={classes.legend}>{label}</legend>
      <AmountField
        label="New limit"
        value={limit}
        error={errors?.limit}
        data-autofocus={isFirst || undefined}
        onChange={(text) => onChange({ ...values, limit: text })}
      />
      <Select
        label="Balance"
        data={Object.entries(BALANCES).map(([value, text]) => ({ value, label: text }))}
        allowDeselect={false}
        comboboxProps={{ withinPortal: true }}
        value={mode}
        onChange={(chosen) => onChange({ ...values, mode: (chosen ?? 'keep') as Balance })}
      />
      {hasAmount(mode) && (
        <AmountField
          label={mode === 'balance' ? 'New balance' : 'Amount to add'}
          value={amount}
          error={errors?.amount}
          onChange={(text) => onChange({ ...values, amount: text })}
        />
      )}
    </fieldset>
  )
}

export function quotasProblem(values: QuotasValues) {
  const wrong = NAMES.map((name) => problemsOf(values[name])).flatMap(({ limit, amount }) => limit ?? amount ?? [])
  return wrong[0] ?? (NAMES.every((name) => changeOf(values[name]) === undefined) ? NOTHING_CHOSEN : undefined)
}

function hasAmount(mode: Balance) {
  return mode === 'balance' || mode === 'top_up'
}

function problemsOf({ limit, mode, amount }: QuotaValues) {
  const missing =
    amount.trim() === '' ? `Enter the ${mode === 'balance' ? 'new balance' : 'amount to add'}.` : undefined
  return { limit: amountProblem(limit), amount: hasAmount(mode) ? (missing ?? amountProblem(amount)) : undefined }
}

function changeOf({ limit, mode, amount }: QuotaValues): QuotaChange | undefined {
  const change: QuotaChange = {
    ...(limit.trim() !== '' && { limit: wireAmount(limit) ?? 0 }),
    ...(hasAmount(mode) && { [mode]: wireAmount(amount) ?? 0 }),
    ...(mode === 'fill' && { fill: true }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

export function quotasSet(values: QuotasValues) {
  const [analytical_quota, ai_quota] = [changeOf(values.analytical_quota), changeOf(values.ai_quota)]
  return { ...(analytical_quota && { analytical_quota }), ...(ai_quota && { ai_quota }) }
}

/** 'analytical quota and AI quota'. */
export function quotaNames(values: QuotasValues) {
  const set = quotasSet(values)
  const names = NAMES.filter((name) => set[name]).map((name) => LABELS[name].replace('Analytical', 'analytical'))
  return new Intl.ListFormat('en').format(names)
}
