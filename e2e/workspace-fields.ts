import type { Locator, Page } from '@playwright/test'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { SETTING_LABELS, type SettingOf, settingsOf } from '@watchdesk/contract/workspace-settings'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { ai, analytical, choose, field, slider } from './workspaces-page.ts'

/** The dashboards that I add and that they add. */
type Dashboards = { mine: Dashboard; theirs: Dashboard }

/** A field of the form: how I change it, and its values at first, mine and theirs. */
export type Field = {
  label: string
  change: (page: Page, dashboards: Dashboards) => Promise<unknown>
  start: unknown
  mine: unknown
  theirs: unknown
}

export const FIELDS: Record<string, Field> = {
  name: text('Name', 'Start'),
  description: text('Description', 'Start'),
  status: {
    label: 'Status',
    change: (page) => choose(page, 'Status', 'INTERNAL'),
    ...{ start: 'TRIAL', mine: 'INTERNAL', theirs: 'PAID_CLIENT' },
  },
  trial_end_date: day('Trial end date', (page) => page),
  ...quota('analytical_quota', 'Analytical quota', analytical),
  ...quota('ai_quota', 'AI quota', ai),
  ...settings('text', (label) => text(label, null)),
  ...settings('threshold', (label) => ({
    label,
    change: (page) => slider(page, label).press('ArrowRight'),
    ...{ start: 0.1, mine: 0.15, theirs: 0.7 },
  })),
  // These have two values only, so both people make the same change.
  ...settings('yes_no', (label) => ({
    label,
    change: (page) => page.getByRole('checkbox', { name: label }).check(),
    ...{ start: false, mine: true, theirs: true },
  })),
  stories_vectors_model: {
    label: SETTING_LABELS.stories_vectors_model,
    change: (page) => choose(page, SETTING_LABELS.stories_vectors_model, 'Lexical (built in)'),
    ...{ start: null, mine: 'lexical', theirs: 'lexical' },
  },
  featureflags: names('featureflags', 'sentiment', 'public_api'),
  roles: names('roles', 'search', 'cases'),
  available_case_types: names('available_case_types', 'fraud', 'spam'),
  powerbi_dashboards: {
    ...names('powerbi_dashboards', 'mine', 'theirs'),
    change: (page, { mine }) => pick(page, SETTING_LABELS.powerbi_dashboards, mine.name),
  },
}

function text(label: string, start: string | null): Field {
  return { label, change: (page) => field(page, label).fill('mine'), start, mine: 'mine', theirs: 'theirs' }
}

function day(label: string, within: (page: Page) => Page | Locator): Field {
  const at = (month: number) => `2027-0${month}-01T00:00:00`
  return {
    label,
    change: (page) => field(within(page), label).fill('2027-02-01'),
    ...{ start: at(1), mine: at(2), theirs: at(3) },
  }
}

function quota(name: string, title: string, group: typeof ai): Record<string, Field> {
  const amount = (label: string): Field => ({
    label: `${title} ${label.toLowerCase()}`,
    change: (page) => field(group(page), label).fill('2,000'),
    ...{ start: 1000, mine: 2000, theirs: 3000 },
  })
  return {
    [`${name}.balance`]: amount('Balance'),
    [`${name}.limit`]: amount('Limit'),
    [`${name}.renewal_date`]: { ...day('Next renewal date', group), label: `${title} next renewal date` },
  }
}

function settings(kind: 'text' | 'threshold' | 'yes_no', make: (label: string) => Field): Record<string, Field> {
  return Object.fromEntries(settingsOf(kind).map((name) => [name, make(SETTING_LABELS[name])]))
}

function names(name: SettingOf<'names' | 'ids'>, mine: string, theirs: string): Field {
  const label = SETTING_LABELS[name]
  return {
    label,
    change: (page) => pick(page, label, mine),
    ...{ start: [], mine: [mine], theirs: [theirs] },
  }
}

async function pick(page: Page, label: string, option: string) {
  await choose(page, label, option)
  await page.keyboard.press('Escape')
}

/** The body of a workspace with the chosen value of each field. */
export function bodyOf({ mine, theirs }: Dashboards, which: (path: string) => 'start' | 'mine' | 'theirs') {
  const body: Record<string, unknown> = {}
  for (const [path, values] of Object.entries(FIELDS)) {
    const [name = '', inner] = path.split('.')
    const value = values[which(path)]
    body[name] = inner === undefined ? value : { ...Object(body[name]), [inner]: value }
  }
  body.powerbi_dashboards = { start: [], mine: [mine.id], theirs: [theirs.id] }[which('powerbi_dashboards')]
  return body
}

/** The fields of a workspace, as in its body. */
export function fieldsOf({ config, id: _, version: _version, ...top }: Workspace) {
  const { tags: _tags, ...settings } = config
  return { ...top, ...settings }
}
