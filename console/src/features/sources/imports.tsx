import { useQuery } from '@tanstack/react-query'
import type { SourceImportEntry } from '@watchdesk/contract/sources'
import { countryName } from '../../ui/display/country-name.ts'
import { formatMoment } from '../../ui/display/format.ts'
import type { Columns } from '../../ui/list/columns.ts'
import { Table } from '../../ui/list/table.tsx'
import { wholeList } from '../../ui/list/use-list.ts'
import { ImportLink } from './cells.tsx'
import { importsOfSourceQuery } from './queries.ts'

type Row = SourceImportEntry & { id: number }

const COLUMNS: Columns<Row> = {
  effect: { heading: 'What it did', cell: effectOf, card: 'title', tone: 'strong' },
  import: { heading: 'Import', cell: (row) => <ImportLink of={row} />, width: '32%', card: 'tags' },
  at: { heading: 'When', cell: ({ at }) => formatMoment(at), width: '13rem', tone: 'soft' },
  by: { heading: 'Who', cell: ({ by }) => by?.name ?? '–', width: '20%' },
}

const EFFECTS: Record<SourceImportEntry['effect'], string> = {
  added: 'Added this source',
  country: 'Changed the country',
  removed: 'Removed this source',
  restored: 'Restored this source',
}

function effectOf({ effect, before }: Row) {
  if (effect !== 'country') return EFFECTS[effect]
  return before === null
    ? 'Set the country, which was missing'
    : `Changed the country, which was ${countryName(before)}`
}

/** The imports that changed a source, newest first. */
export function SourceImports({ id }: { id: number }) {
  const query = useQuery({
    ...importsOfSourceQuery(id),
    // Each import is listed once.
    select: (entries) => entries.map((entry): Row => ({ ...entry, id: entry.import.id })),
  })
  return (
    <Table
      label="Imports"
      list={wholeList(query)}
      columns={COLUMNS}
      empty="No import has changed this source. Imports that do are listed here."
    />
  )
}
