import type { Platform } from '@watchdesk/contract/enums'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import type { SourcesExportResult, SourcesImportResult } from '@watchdesk/contract/source-management'
import { type Failure, failureOf } from '../../ui/form/use-action.ts'
import { exportPlatformSources, importPlatformSources } from './queries.ts'

/** Other backends may return only the fields that the specification requires. */
type RequiredOnly<Result, Key extends keyof Result> = Pick<Result, Key> & Partial<Omit<Result, Key>>
export type Imported = RequiredOnly<SourcesImportResult, 'platform' | 'import_status' | 'sheet_id' | 'error_message'>
export type Exported = RequiredOnly<
  SourcesExportResult,
  'platform' | 'export_status' | 'created_sheet_url' | 'error_message'
>

export type Outcome = { failure: Failure } | { imported: Imported } | { exported: Exported }

/** Runs the import or export and returns its outcome; never throws. */
export async function transfer(type: string, platform: Platform): Promise<Outcome> {
  try {
    if (type === 'import') return outcomeOf('imported', await importPlatformSources(platform))
    if (type === 'export') return outcomeOf('exported', await exportPlatformSources(platform))
    return { failure: { text: SOMETHING_WENT_WRONG } }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function outcomeOf<Kind extends string, Result extends { error_message: string | null }>(kind: Kind, result: Result) {
  if (result?.error_message) return { failure: { text: result.error_message } }
  return { [kind]: result } as Record<Kind, Result>
}
