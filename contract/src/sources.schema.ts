import { z } from 'zod'
import { callOf, deleteOf, editOf, objectsOf, onceOf, queryOf, readOf } from './endpoint.schema.ts'
import { PLATFORMS } from './enums.ts'
import * as field from './fields.schema.ts'
import { CHANGED_AT_ONCE, FOUND_AT_ONCE, LENGTH } from './limits.ts'
import type { ListQuery } from './list.ts'
import { chosenOrFiltered } from './operations/chosen.schema.ts'
import { OperationReference } from './operations/operations.schema.ts'
import { filterIn, listOf } from './page.schema.ts'
import { sourceList } from './sources.ts'

const url = field.string('Address of the source', 'https://t.me/example')
const country = field.about(
  z
    .string()
    .regex(/^[A-Z]{2}$/, 'Choose a country.')
    .nullable(),
  'ISO code of the country. Null if there is none',
  'UA',
)

export const MonitoredSource = field.object('The source', {
  id: field.Id,
  platform: field.about(z.enum(PLATFORMS), 'Platform', 'TELEGRAM'),
  url,
  country,
  created_at: field.timestamp('When it was added'),
  created_by: field.Author.nullable().describe('Who added it. Null if that is not known'),
  import: OperationReference.nullable().describe(
    'The import that added it. Null if no import did, or that is not known',
  ),
  updated_at: field.timestamp('When it was last changed'),
  updated_by: field.Author.nullable().describe('Who changed it last. Null if that is not known'),
  version: field.Version,
})

export const SourceDetails = MonitoredSource.extend({
  deleted_at: field.timestamp('When it was removed').nullable().describe('When it was removed. Null if it was not'),
}).describe('The source')

export const SourceFilter = filterIn('body', sourceList)

export const SourceUpdate = z.strictObject({ country })

export const SourcesChange = chosenOrFiltered(
  {
    action: z.enum(['set_country', 'remove']).describe('What to do with the sources'),
    country: country.optional(),
    ids: z
      .array(field.Id)
      .min(1, 'Choose at least one source.')
      .max(CHANGED_AT_ONCE, `At most ${CHANGED_AT_ONCE.toLocaleString('en')} sources by their ids.`)
      .optional()
      .describe('Ids of the sources. Leave it out to change all that match the filter'),
    filter: SourceFilter.optional().describe('Changes all sources that match. An empty filter matches every source'),
    expected_count: field.count(
      'The number of sources that you expect to change. If it has become another one, nothing changes',
    ),
  },
  'set_country',
  'country',
  'Send a country, or null, to set the country, and only then.',
)

export const SourcesChanged = field.object('The result of the change', {
  changed_count: field.count('Number of sources that are changed, or will be in the background'),
  import_id: field.Id.nullable().describe('The change, which can be undone. Null if there was nothing to change'),
  job_id: field.Id.nullable().describe('The job that makes the change in the background. Null if it is done'),
})

export const FoundAddress = z.object({
  written: field.string('The address as it was sent', 't.me/example'),
  outcome: z
    .enum(['monitored', 'not monitored', 'removed', 'repeated', 'unsupported platform', 'invalid URL'])
    .describe('Whether it is monitored. `removed`: it is in the bin'),
  source: field.objectOrNull('The source. Null if the address is not one', {
    id: field.Id.nullable().describe('Null if it is not monitored'),
    platform: z.enum(PLATFORMS),
    url,
    country,
  }),
})
export const FoundAddresses = field.object('What is known of each address', {
  objects: z.array(FoundAddress).describe('The addresses, in the order of the request'),
  counts: z.record(z.string(), field.count('Number of addresses')).describe('Number of addresses by outcome'),
})

const ImportEntry = z.object({
  import: OperationReference,
  at: field.timestamp('When it was'),
  by: field.Author.nullable().describe('Who did it'),
  effect: z.enum(['added', 'country', 'removed', 'restored']).describe('What it did to the source'),
  before: country.describe('The country before'),
})

export type MonitoredSource = z.infer<typeof MonitoredSource>
export type SourceDetails = z.infer<typeof SourceDetails>
export type SourceQuery = ListQuery<typeof sourceList>
export type SourceFilter = z.output<typeof SourceFilter>
export type SourceUpdate = z.infer<typeof SourceUpdate>
export type SourcesChange = z.infer<typeof SourcesChange>
export type SourcesChanged = z.infer<typeof SourcesChanged>
export type FoundAddress = z.infer<typeof FoundAddress>
export type FoundAddresses = z.infer<typeof FoundAddresses>
export type SourceImportEntry = z.infer<typeof ImportEntry>

export const listSources = listOf('List sources', sourceList, MonitoredSource)

export const getSource = readOf('Read a source', SourceDetails)

export const listImportsOfSource = readOf(
  'List the imports that changed a source, newest first',
  objectsOf(ImportEntry, 'The imports, at most 100', 'The imports that changed the source'),
)

export const updateSource = editOf('Change the country of a source', SourceUpdate, MonitoredSource)

export const deleteSource = deleteOf('Remove a source')

export const restoreSource = readOf('Restore a removed source', MonitoredSource)

export const changeSources = onceOf('Change or remove many sources at once', SourcesChange, SourcesChanged)

export const findSources = callOf(
  'Look up addresses',
  z.strictObject({
    addresses: field.about(
      z
        .array(field.text(LENGTH.link * 2))
        .min(1, 'Enter at least one address.')
        .max(FOUND_AT_ONCE, `At most ${FOUND_AT_ONCE.toLocaleString('en')} addresses at once.`),
      'The addresses, as somebody wrote them',
      ['t.me/example'],
    ),
  }),
  FoundAddresses,
)

export const downloadSources = queryOf(
  'Download sources as a file',
  filterIn('query', sourceList).extend({ format: field.FileFormat }),
  z.unknown(),
)

export const exportSources = callOf(
  'Export sources to a new sheet',
  SourceFilter,
  field.object('The result of the export', {
    created_sheet_url: z.string().describe('Address of the new sheet'),
    exported_count: field.count('Number of exported sources'),
    import_id: field.Id.describe('The export in the list of imports'),
  }),
)
