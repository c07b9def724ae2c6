import { useInfiniteQuery } from '@tanstack/react-query'
import { Icon } from '../../ui/display/icon.tsx'
import classes from './filters.module.css'
import { useActivityFilters } from './filters.tsx'
import { eventsQuery } from './queries.ts'
import { filtersOf } from './search.ts'

const NOUNS: Record<string, string> = {
  user: 'user',
  session: 'user',
  workspace: 'workspace',
  dashboard: 'dashboard',
  sheet: 'sheet',
  vectorization: 'vectorization run',
}

/** The one record whose events are shown, if links led here with one. */
export function RecordChip() {
  const { search, change } = useActivityFilters()
  const { data } = useInfiniteQuery({ ...eventsQuery(filtersOf(search)), enabled: false })
  const { entity, entity_id } = search
  if (entity === undefined || entity_id === undefined) return null
  // The list has the name, unless it is empty.
  const name = data?.pages[0]?.objects.find((event) => event.record)?.record?.name ?? String(entity_id)
  return (
    <div className={classes.chips}>
      <span className={classes.chip}>
        Only {NOUNS[entity] ?? entity} {name}
        <button
          type="button"
          className={classes.remove}
          aria-label={`Show the events of all records, not only of ${name}`}
          onClick={() => change({ entity: undefined, entity_id: undefined })}
        >
          <Icon name="close" size={16} />
        </button>
      </span>
    </div>
  )
}
