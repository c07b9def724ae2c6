import type { RecordKind } from '@watchdesk/contract/activity'
import { DashboardUpdate } from '@watchdesk/contract/dashboards.schema'
import { SourceUpdate } from '@watchdesk/contract/sources.schema'
import { UserUpdate } from '@watchdesk/contract/users.schema'
import { invalidSheets, NOT_A_SHEET } from '@watchdesk/contract/website-config'
import { parseCaseTypes, WebsiteConfigUpdate } from '@watchdesk/contract/website-config.schema'
import { WorkspaceBody } from '@watchdesk/contract/workspaces.schema'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { invalid } from '../../problem.ts'
import { dashboardsStore } from '../dashboards/store.ts'
import { sourcesStore } from '../sources/store.ts'
import { factsOf } from '../users/facts.ts'
import { type Account, refusal } from '../users/rules.ts'
import { usersStore } from '../users/store.ts'
import { websiteConfigStore } from '../website-config/store.ts'
import { refusal as workspaceRefusal } from '../workspaces/rules.ts'
import { workspacesStore } from '../workspaces/store.ts'

export type Fields = Record<string, unknown>
type Trial = { status: string | null }
type Current = { id: number; version: number; values: Fields }
type Check = { earlier?: unknown; note?: string; problem?: string | undefined }

/** How fields of a kind of record are put back: with the store's own edit, so with the same rules. */
type RecordAccess = {
  /** The fields of a record that exists and that the caller may see. */
  read(actor: Actor, id: number): Promise<Current | undefined>
  /** Whether the field can have the value that it had then, or what comes closest to it. */
  check(actor: Actor, current: Current, field: string, then: Fields): Promise<Check>
  /** Returns the new version. */
  write(actor: Actor, id: number, changed: Fields, all: Fields, ifMatch: string): Promise<number>
}

type StoreDeps = Pick<Deps, 'env' | 'db' | 'read' | 'rights' | 'catalog' | 'passwords' | 'lockout' | 'mails'>

export function recordsOf(deps: StoreDeps): Record<RecordKind, RecordAccess> {
  return {
    user: userAccess(deps),
    workspace: workspaceAccess(deps),
    dashboard: plainAccess(dashboardsStore(deps), DashboardUpdate),
    website_config: websiteConfigAccess(deps),
    source: plainAccess(sourcesStore(deps), SourceUpdate),
  }
}

function userAccess({ db, read, ...deps }: StoreDeps): RecordAccess {
  const users = usersStore({ db, read, ...deps })
  return {
    async read(actor, id) {
      const user = await users.get(actor, id)
      if (!user) return undefined
      const { id: _, version, workspace: __, ...values } = user
      return { id, version, values }
    },
    async check(actor, current, field, then) {
      const isSelf = current.id === actor.id
      if (field === 'email' && isSelf) return { problem: 'Change your own email on your user page.' }
      const before = { ...(current.values as Account), id: current.id }
      const after = { ...before, [field]: then[field] }
      const facts = await factsOf(read, {
        workspace_ids: [after.workspace_id],
        emails: field === 'email' ? [String(after.email)] : [],
      })
      const problem = refusal(actor, before, after, facts)?.message
      // An auditor is no admin, so such roles can only be put back together.
      const roles = Object.fromEntries(ROLES.map((name) => [name, then[name]]))
      const isPossible = ROLES.includes(field) && !refusal(actor, before, { ...before, ...roles }, facts)
      return { problem: isPossible ? undefined : problem }
    },
    async write(actor, id, changed, _all, ifMatch) {
      return (await users.update(actor, id, parse(UserUpdate, changed), ifMatch, 'put_back')).version
    },
  }
}

const ROLES = ['is_admin', 'is_super_admin', 'is_auditor']

function workspaceAccess(deps: StoreDeps): RecordAccess {
  const { read, catalog } = deps
  const workspaces = workspacesStore(deps)
  const offered: Record<string, { what: string; values: string[] }> = {
    roles: { what: 'role', values: catalog.all_roles },
    featureflags: { what: 'feature flag', values: catalog.all_featureflags },
    available_case_types: { what: 'case type', values: catalog.case_types },
  }
  return {
    async read(actor, id) {
      const workspace = await workspaces.get(actor, id)
      if (!workspace) return undefined
      const { name, description, status, trial_end_date, analytical_quota, ai_quota, version, config } = workspace
      const { tags: _, ...settings } = config
      const top = { name, description, status, trial_end_date, analytical_quota, ai_quota }
      return { id, version, values: { ...top, ...settings } }
    },
    async check(actor, { id, values }, field, then) {
      const choices = offered[field]
      if (choices) return without(then[field], values[field], choices.values, (name) => `${choices.what} ${name}`)
      if (field === 'status')
        return { problem: workspaceRefusal(actor, { ...(values as Trial), id }, then as Trial)?.message }
      if (field === 'stories_vectors_model') return checkModel(catalog, then[field])
      if (field === 'powerbi_dashboards') {
        const ids = Array.isArray(then[field]) ? then[field] : []
        const live = sql<{ id: number }>`select id from powerbi_dashboards
          where id = any(${ids}::int[]) and deleted_at is null`
        const existing = (await read(live)).map(({ id }) => id)
        return without(ids, [], existing, (id) => `dashboard ${id}`)
      }
      return {}
    },
    async write(actor, id, changed, all, ifMatch) {
      const body = parse(WorkspaceBody, { ...all, ...changed })
      return (await workspaces.update(actor, id, body, ifMatch, 'put_back')).version
    },
  }
}

function websiteConfigAccess({ db, read, rights, catalog, env }: StoreDeps): RecordAccess {
  const config = websiteConfigStore({ db, read, rights, catalog, env })
  return {
    async read() {
      return { id: 0, ...(await config.get()) }
    },
    async check(_actor, { values }, field, then) {
      if (field === 'default_stories_vectors_model' && then[field]) return checkModel(catalog, then[field])
      if (field === 'default_case_types') {
        const [wanted, held] = [then[field], values[field]].map((list) => parseCaseTypes(String(list)))
        const { earlier, note } = without(wanted, held, catalog.case_types, (name) => `case type ${name}`)
        return note ? { earlier: JSON.stringify(earlier), note } : {}
      }
      return invalidSheets(values, { [field]: then[field] }).length > 0 ? { problem: NOT_A_SHEET } : {}
    },
    async write(actor, _id, changed, _all, ifMatch) {
      return (await config.update(actor, parse(WebsiteConfigUpdate, changed), ifMatch, 'put_back')).version
    },
  }
}

/** A record without rules of its own: its fields are those of its edit. */
function plainAccess<Body extends object>(
  store: PlainStore<Body>,
  schema: z.ZodObject & z.ZodType<Body>,
): RecordAccess {
  return {
    async read(_actor, id) {
      const record = await store.get(id)
      // A removed source can be read, but not changed.
      if (!record || record.deleted_at) return undefined
      const values = Object.fromEntries(Object.entries(record).filter(([name]) => name in schema.shape))
      return { id, version: record.version, values }
    },
    check: async () => ({}),
    async write(actor, id, changed, _all, ifMatch) {
      return (await store.update(actor, id, parse(schema, changed), ifMatch, 'put_back')).version
    },
  }
}

type PlainStore<Body> = {
  get(id: number): Promise<{ version: number; deleted_at?: string | null } | undefined>
  update(actor: Actor, id: number, body: Body, ifMatch: string, action: 'put_back'): Promise<{ version: number }>
}

/** Leaves out what no longer exists, unless the record still has it. */
function without(then: unknown, held: unknown, existing: unknown[], nameOf: (entry: unknown) => string): Check {
  const list: unknown[] = Array.isArray(then) ? then : []
  const kept: unknown[] = Array.isArray(held) ? held : []
  const gone = list.filter((entry) => !existing.includes(entry) && !kept.includes(entry))
  if (gone.length === 0) return {}
  const note = `Left out, because it no longer exists: ${gone.map(nameOf).join(', ')}.`
  return { earlier: list.filter((entry) => !gone.includes(entry)), note }
}

function checkModel(catalog: StoreDeps['catalog'], model: unknown): Check {
  const isOffered = !model || Object.values(catalog.vectorization_models).some((value) => value === model)
  return isOffered ? {} : { problem: `The stories vectors model ${model} is no longer available.` }
}

/** Earlier releases had other limits. */
function parse<Body>(schema: z.ZodType<Body>, fields: Fields): Body {
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(String(issue?.path[0] ?? 'fields'), issue?.message ?? 'This value is no longer allowed.')
}
