import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { columnsOf } from '@watchdesk/contract/list'
import { VIEWED_LISTS, type ViewedList } from '@watchdesk/contract/saved-views'
import { currentUserQuery } from '../../auth/queries.ts'

export type ShownColumns = {
  list: ViewedList
  shown: readonly string[]
  /** False until it is known which columns the person has chosen. */
  isKnown: boolean
  /** They are those of a link, for this visit. */
  isFromAddress: boolean
  /** Other backends cannot keep the choice. It is in the address then. */
  canKeep: boolean
}

/** The columns in the address, or those that the person has chosen, or the default ones. */
export function useColumns(list: ViewedList): ShownColumns {
  const { data: me, errorUpdateCount } = useQuery(currentUserQuery)
  const { columns } = useSearch({ strict: false })
  const options = VIEWED_LISTS[list]
  const known: string[] = columnsOf(options)
  const chosen = (columns?.split(',') ?? me?.columns?.[list] ?? []).filter((name) => known.includes(name))
  return {
    list,
    shown: chosen.length > 0 ? chosen : options.columns,
    isKnown: columns !== undefined || me !== undefined || errorUpdateCount > 0,
    isFromAddress: columns !== undefined,
    canKeep: me === undefined || me.columns !== undefined,
  }
}
