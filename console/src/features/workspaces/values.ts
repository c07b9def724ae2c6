import type { WorkspaceStatus } from '@watchdesk/contract/enums'
import { parseJson } from '@watchdesk/contract/json'
import { SETTING_DEFAULTS, type SettingOf, settingsByKind, settingsOf } from '@watchdesk/contract/workspace-settings'
import type { Workspace, WorkspaceSettings } from '@watchdesk/contract/workspaces'
import { wireAmount } from './amount.ts'
import { hasPassed, parseDay, readDay } from './day.ts'
import { fieldsOf } from './fields.ts'
import type { Defaults } from './queries.ts'

type Text = SettingOf<'text'>

/** The values of the workspace form. Days and amounts are kept as typed. */
export type WorkspaceValues = Omit<WorkspaceSettings, Text> &
  Record<Text, string> & {
    name: string
    description: string
    status: WorkspaceStatus | null
    trial_end_date: string
    analytical_quota: QuotaValues
    ai_quota: QuotaValues
  }

export type QuotaValues = { balance: string; limit: string; renewal_date: string }

const NO_QUOTA: QuotaValues = { balance: '', limit: '', renewal_date: '' }

const EMPTY: WorkspaceValues = {
  name: '',
  description: '',
  status: null,
  trial_end_date: '',
  analytical_quota: NO_QUOTA,
  ai_quota: NO_QUOTA,
  ...settingsByKind({ ...SETTING_DEFAULTS, text: '' }),
}

export function newWorkspace({ roles, config }: Defaults): WorkspaceValues {
  return {
    ...EMPTY,
    roles,
    available_case_types: parseNames(config.default_case_types),
    stories_vectors_model: config.default_stories_vectors_model || null,
  }
}

/** The names in a JSON list; empty if the text is not such a list. */
function parseNames(json: string | undefined): string[] {
  const list = parseJson(json ?? '')
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}

export function valuesOf(workspace: Workspace): WorkspaceValues {
  const fields = fieldsOf(workspace)
  const given = Object.keys(EMPTY).flatMap((name) => {
    const value = fields[name as keyof WorkspaceValues]
    return value === undefined || value === null ? [] : [[name, value]]
  })
  return {
    ...EMPTY,
    ...Object.fromEntries(given),
    trial_end_date: dayOf(fields.trial_end_date),
    analytical_quota: quotaValues(fields.analytical_quota),
    ai_quota: quotaValues(fields.ai_quota),
  }
}

function quotaValues(quota: ReturnType<typeof fieldsOf>['ai_quota']): QuotaValues {
  const { balance, limit, renewal_date } = quota ?? {}
  return { balance: String(balance ?? 0), limit: String(limit ?? 0), renewal_date: dayOf(renewal_date) }
}

function dayOf(wire: string | null | undefined) {
  return wire?.slice(0, 10) ?? ''
}

export function bodyOf(values: WorkspaceValues) {
  const texts = settingsOf('text').map((name) => [name, values[name] || null])
  return {
    ...values,
    ...Object.fromEntries(texts),
    trial_end_date: trialEnd(values),
    analytical_quota: quotaBody(values.analytical_quota),
    ai_quota: quotaBody(values.ai_quota),
  }
}

/** It can be saved, but the message mentions it. */
export function savedNote({ status, trial_end_date }: WorkspaceValues) {
  return status === 'TRIAL' && hasPassed(parseDay(trial_end_date) ?? '') ? ' Its trial has already ended.' : ''
}

/** After its trial a workspace keeps the date; only an incomplete one, which is no longer visible, is dropped. */
function trialEnd({ status, trial_end_date }: WorkspaceValues) {
  return status === 'TRIAL' || parseDay(trial_end_date) ? wireDay(trial_end_date) : null
}

function quotaBody({ balance, limit, renewal_date }: QuotaValues) {
  return { balance: wireAmount(balance), limit: wireAmount(limit), renewal_date: wireDay(renewal_date) }
}

function wireDay(day: string) {
  return day.trim() === '' ? null : `${readDay(day) ?? day.trim()}T00:00:00`
}
