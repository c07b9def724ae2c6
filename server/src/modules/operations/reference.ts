import type { Operation, OperationReference } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'

/** A joined import, as other records refer to it. Null if there is none. */
export function operationReference(table = 'operations') {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<OperationReference | null>`case when ${column('id')} is not null
    then json_build_object('id', ${column('id')}, 'kind', ${column('kind')}, 'name', ${column('name')}) end`
}

export function personReference(id: string, name: string) {
  return sql<Operation['created_by']>`case when ${sql.ref(id)} is not null
    then json_build_object('id', ${sql.ref(id)}, 'name', ${sql.ref(name)}) end`
}
