import {
  type ChosenColumns,
  type ColumnsChoice,
  type SavedViewCreate,
  type SavedViewKey,
  type SavedViewUpdate,
  VIEWS_PER_LIST,
  type ViewedList,
} from '@watchdesk/contract/saved-views'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { conflictIfTaken } from '../../db/entity.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { conflict, found } from '../../problem.ts'

const FIELDS = ['list', 'name', 'query'] as const

/** Nobody can refer to the views of others: they have no id, only a list and a name. They are not in the audit log. */
export function savedViewsStore({ db, read, rights }: Pick<Deps, 'db' | 'read' | 'rights'>) {
  return { list, create, update, remove, chooseColumns }

  function list(actor: Actor, of: ViewedList) {
    return read(viewsOf(db, actor, of).select(FIELDS).orderBy(sql`lower(name)`))
  }

  function create(actor: Actor, view: SavedViewCreate) {
    const created = rights.write(actor, async (trx) => {
      // One at a time, so that two calls cannot pass the maximum together.
      await sql`select pg_advisory_xact_lock(hashtext('saved_views'), ${actor.id}::int)`.execute(trx)
      const { count } = await viewsOf(trx, actor, view.list)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (count >= VIEWS_PER_LIST)
        throw conflict(`You have ${VIEWS_PER_LIST} views of this list already. Delete one of them first.`)
      return trx
        .insertInto('saved_views')
        .values({ user_id: actor.id, ...view })
        .returning(FIELDS)
        .executeTakeFirstOrThrow()
    })
    return created.catch(asConflict)
  }

  function update(actor: Actor, { list: of, name, new_name, query }: SavedViewUpdate) {
    const updated = rights.write(actor, async (trx) => {
      const view = await trx
        .updateTable('saved_views')
        .set({ name: new_name ?? sql`name`, query: query ?? sql`query` })
        .where(isView(actor, of, name))
        .returning(FIELDS)
        .executeTakeFirst()
      return found(view, 'View')
    })
    return updated.catch(asConflict)
  }

  function remove(actor: Actor, { list: of, name }: SavedViewKey) {
    return rights.write(actor, async (trx) => {
      const removed = trx
        .deleteFrom('saved_views')
        .where(isView(actor, of, name))
        .returning('list')
      found(await removed.executeTakeFirst(), 'View')
    })
  }

  function chooseColumns(actor: Actor, { list: of, columns }: ColumnsChoice) {
    return rights.write(actor, async (trx) => {
      if (columns === null) {
        await trx.deleteFrom('list_columns').where('user_id', '=', actor.id).where('list', '=', of).execute()
        return
      }
      await trx
        .insertInto('list_columns')
        .values({ user_id: actor.id, list: of, columns })
        .onConflict((at) => at.columns(['user_id', 'list']).doUpdateSet({ columns }))
        .execute()
    })
  }
}

function viewsOf(db: Db, actor: Actor, list: ViewedList) {
  return db.selectFrom('saved_views').where('user_id', '=', actor.id).where('list', '=', list)
}

function isView({ id }: Actor, list: ViewedList, name: string) {
  return sql<boolean>`user_id = ${id} and list = ${list} and lower(name) = lower(${name})`
}

const asConflict = conflictIfTaken('saved_views_by_name', 'You already have a view with this name.')

export const chosenColumns = sql<ChosenColumns>`(select coalesce(jsonb_object_agg(list, columns), '{}')
  from list_columns where list_columns.user_id = users.id)`
