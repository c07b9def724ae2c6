import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { FILE_TYPES } from './file-types.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { ListOptions } from './list.ts'
import type * as schema from './sources.schema.ts'

export type {
  FoundAddress,
  FoundAddresses,
  MonitoredSource,
  SourceDetails,
  SourceFilter,
  SourceImportEntry,
  SourceQuery,
  SourcesChange,
  SourcesChanged,
  SourceUpdate,
} from './sources.schema.ts'

export const sourceList = {
  search: 'Search address or handle',
  sorts: ['id', 'url', 'platform', 'country'],
  isNewestFirst: true,
  filters: {
    platform: {
      label: 'Platform',
      placeholder: 'All platforms',
      options: {
        TELEGRAM: 'TELEGRAM',
        OK: 'OK',
        VK: 'VK',
        TWITTER: 'TWITTER',
        WEB: 'WEB',
        FACEBOOK: 'FACEBOOK',
        ADMIXER: 'ADMIXER',
        YOUTUBE: 'YOUTUBE',
        TIKTOK: 'TIKTOK',
      },
    },
  },
  values: {
    country: { label: 'Country', kind: 'country' },
    import_id: { label: 'Import', kind: 'id' },
    added_from: { label: 'Added from', kind: 'day' },
    added_to: { label: 'Added until', kind: 'day' },
  },
} as const satisfies ListOptions

export const listSources: ListEndpoint<typeof schema.listSources, typeof sourceList> = {
  method: 'GET',
  url: '/api/v1/sources/',
  config: { access: 'super_admin' },
  list: sourceList,
}

export const getSource: Endpoint<typeof schema.getSource> = {
  method: 'GET',
  url: '/api/v1/sources/:id',
  config: { access: 'super_admin' },
}

export const listImportsOfSource: Endpoint<typeof schema.listImportsOfSource> = {
  method: 'GET',
  url: '/api/v1/sources/:id/imports',
  config: { access: 'super_admin' },
}

export const updateSource: Endpoint<typeof schema.updateSource> = {
  method: 'PATCH',
  url: '/api/v1/sources/:id',
  config: { access: 'super_admin' },
}

export const deleteSource: Endpoint<typeof schema.deleteSource> = {
  method: 'DELETE',
  url: '/api/v1/sources/:id',
  config: { access: 'super_admin' },
}

export const restoreSource: Endpoint<typeof schema.restoreSource> = {
  method: 'POST',
  url: '/api/v1/sources/:id/restore',
  config: { access: 'super_admin' },
}

export const changeSources: Endpoint<typeof schema.changeSources> = {
  method: 'POST',
  url: '/api/v1/sources/change',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.undo, is_import: true },
}

export const findSources: Endpoint<typeof schema.findSources> = {
  method: 'POST',
  url: '/api/v1/sources/find',
  config: { access: 'super_admin', is_read: true, timeout_ms: TIMEOUT_MS.vectorization, is_import: true },
}

export const downloadSources: Endpoint<typeof schema.downloadSources> = {
  method: 'GET',
  url: '/api/v1/sources/file',
  config: {
    access: 'super_admin',
    is_expensive: true,
    timeout_ms: TIMEOUT_MS.stories,
    response_types: Object.values(FILE_TYPES),
  },
}

export const exportSources: Endpoint<typeof schema.exportSources> = {
  method: 'POST',
  url: '/api/v1/sources/export',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.sources, is_import: true },
}
