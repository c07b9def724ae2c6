import type { RecordKind } from '@watchdesk/contract/records'
import type { FieldTexts } from '../../../ui/display/plain-value.ts'
import * as dashboards from '../../dashboards/shared/labels.ts'
import * as sources from '../../sources/shared/labels.ts'
import * as users from '../../users/shared/labels.ts'
import * as websiteConfig from '../../website-config/shared/labels.ts'
import * as workspaces from '../../workspaces/shared/labels.ts'

type KnownRecord = {
  /** The address of its page. */
  page: (id: number | null) => string
  /** How its form names its fields. */
  fields?: FieldTexts
  /** The first part of the keys of its queries. */
  queries: string
}

export const RECORDS: Record<RecordKind, KnownRecord> = {
  user: { page: (id) => `/users/${id}/edit`, fields: users, queries: 'users' },
  workspace: { page: (id) => `/workspaces/${id}`, fields: workspaces, queries: 'workspaces' },
  dashboard: { page: (id) => `/dashboards/${id}/edit`, fields: dashboards, queries: 'dashboards' },
  sheet: { page: (id) => `/sheets/${id}`, queries: 'sheets' },
  source: { page: (id) => `/sources/${id}`, fields: sources, queries: 'sources' },
  website_config: { page: () => '/website_config', fields: websiteConfig, queries: 'website-config' },
}

/** Undefined for what is no record, and for kinds that only other backends have. */
export function recordOf(kind: string): KnownRecord | undefined {
  return Object.hasOwn(RECORDS, kind) ? RECORDS[kind as RecordKind] : undefined
}

/** 'website config', as in the middle of a sentence. */
export function nounOf(kind: string) {
  return kind.replaceAll('_', ' ')
}
