import { LIST_LENGTH, MAX_QUOTA } from '@watchdesk/contract/limits'
import { keysOf } from '@watchdesk/contract/list'
import type { Workspace, WorkspaceBody } from '@watchdesk/contract/workspaces'
import type { Actor } from '../../actor.ts'
import { conflict, invalid, type Problem } from '../../problem.ts'
import type { Catalog } from '../catalog/catalog.ts'

/** Who may do what with workspaces, and what they may be. See `users/rules.ts`. */
export type WorkspaceFields = Pick<Workspace, 'trial_end_date' | 'analytical_quota' | 'ai_quota'> &
  Pick<Workspace['config'], 'roles' | 'featureflags' | 'powerbi_dashboards'> & { status: string | null }

export const EMAIL_TAKEN = 'Another user now has the email of one of its users.'

export const FIELD_NAMES = {
  trial_end_date: 'trial end date',
  analytical_quota: 'analytical quota',
  ai_quota: 'AI quota',
  roles: 'roles',
  featureflags: 'feature flags',
  powerbi_dashboards: 'dashboards',
}
const LAST_DAY = '9999-12-31T00:00:00'

export function refusal(
  actor: Pick<Actor, 'workspace_id'>,
  before: { id: number; status: string | null },
  after: { status: string | null } | null,
): Problem | undefined {
  if (before.id !== actor.workspace_id) return undefined
  if (after === null) return conflict('You cannot delete your own workspace.')
  if (isDeactivation(before, after)) return conflict('You cannot deactivate your own workspace.')
  return undefined
}

export function isDeactivation(before: { status: string | null }, after: { status: string | null }) {
  return after.status === 'DEACTIVATED' && before.status !== 'DEACTIVATED'
}

type Choices = Pick<
  Required<WorkspaceBody>,
  'roles' | 'featureflags' | 'available_case_types' | 'stories_vectors_model' | 'powerbi_dashboards'
>

type Offers = { catalog: Catalog; dashboards: number[] }

export const OFFERED = {
  roles: 'all_roles',
  featureflags: 'all_featureflags',
  available_case_types: 'case_types',
} as const

/** Values that the workspace has already may have left the catalog: otherwise an unrelated edit could not be saved. */
export function refusalOfChoices(
  before: Partial<Choices>,
  after: Partial<Choices>,
  { catalog, dashboards }: Offers,
): Problem | undefined {
  for (const field of keysOf(OFFERED)) {
    const possible = [...catalog[OFFERED[field]], ...(before[field] ?? [])]
    const strange = after[field]?.find((name) => !possible.includes(name))
    if (strange !== undefined) return invalid(field, `${strange} is not a valid choice for ${field}.`)
  }
  const { stories_vectors_model: model, powerbi_dashboards = [] } = after
  const models = [before.stories_vectors_model, ...Object.values(catalog.vectorization_models)]
  if (model && !models.includes(model))
    return invalid('stories_vectors_model', `${model} is not one of the stories vectors models.`)
  const missing = powerbi_dashboards.find((id) => !dashboards.includes(id))
  return missing === undefined ? undefined : invalid('powerbi_dashboards', `Dashboard ${missing} does not exist.`)
}

/** `missing` are dashboards that an undo would put back, and that no longer exist. */
type ManyFacts = { isExtension: boolean; missing: Set<number> }

/** A form checks the values with the schema. */
export function refusalInMany(
  actor: Pick<Actor, 'workspace_id'>,
  before: WorkspaceFields & { id: number },
  after: WorkspaceFields,
  { isExtension, missing }: ManyFacts,
): string | undefined {
  if (isExtension && before.status !== 'TRIAL') return 'It is not a trial.'
  const why = refusal(actor, before, after)
  if (why) return why.message
  if (after.powerbi_dashboards.some((id) => missing.has(id)))
    return 'A dashboard that it showed is deleted. Restore it first, or edit the workspace.'
  const { status, trial_end_date } = after
  if (status === 'TRIAL' && trial_end_date === null) return 'It has no trial end date. Set one to make it a trial.'
  if (trial_end_date !== null && trial_end_date.length > LAST_DAY.length)
    return 'The trial would end after the year 9999.'
  for (const field of ['analytical_quota', 'ai_quota'] as const) {
    if (after[field].balance > MAX_QUOTA && after[field].balance !== before[field].balance)
      return `The balance of its ${FIELD_NAMES[field]} would be more than ${MAX_QUOTA.toLocaleString('en')}.`
  }
  for (const field of ['roles', 'featureflags', 'powerbi_dashboards'] as const) {
    if (after[field].length > LIST_LENGTH && after[field] !== before[field])
      return `It would have more than ${LIST_LENGTH} ${FIELD_NAMES[field]}.`
  }
  return undefined
}

type Trial = Pick<WorkspaceFields, 'status' | 'trial_end_date'>

/** Takes away the access of users or gives it back. A trial that is over may be deactivated at any time. */
export function changesAccess(before: Trial, after: Trial, today: string) {
  if (before.status !== after.status && [before.status, after.status].includes('DEACTIVATED')) return true
  const [was, is] = [trialEnd(before), trialEnd(after)]
  return is < was || (was < today && is >= today)
}

/** As text, days are in their order, and this one is after all of them. */
const NEVER = '~'

function trialEnd({ status, trial_end_date }: Trial) {
  return status === 'TRIAL' ? (trial_end_date?.slice(0, 10) ?? NEVER) : NEVER
}
