import type { Platform } from '@watchdesk/contract/enums'
import * as api from '@watchdesk/contract/source-management'
import { call } from '../../api/call.ts'

export function importPlatformSources(platform: Platform) {
  return call(api.importPlatformSources, { body: { platform, type: 'import' } })
}

export function exportPlatformSources(platform: Platform) {
  return call(api.exportPlatformSources, { body: { platform, type: 'export' } })
}
