import type { OperationReference } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'

/** A joined import, as other records refer to it. Null if there is none. */
export function operationReference(table = 'operations') {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<OperationReference | null>`case when ${column('id')} is not null
    then json_build_object('id', ${column('id')}, 'kind', ${column('kind')}, 'name', ${column('name')}) end`
}
