import type { LinkCheck } from '@watchdesk/contract/dashboards'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { unavailable } from '../../problem.ts'

/** Not stored: a result says how a site and the network are at the moment. Holds no database connection meanwhile. */
export async function checkLinks(
  { db, rights, embedLinks, semaphores }: Pick<Deps, 'db' | 'rights' | 'embedLinks' | 'semaphores'>,
  actor: Actor,
  { ids, origin }: { ids: number[]; origin: string },
  signal: AbortSignal,
): Promise<{ objects: LinkCheck[] }> {
  // Nothing is requested for somebody who lost access while the body was being sent.
  await rights.check(actor)
  const dashboards = await db
    .selectFrom('powerbi_dashboards')
    .select(['id', 'embed_link'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const checkAll = () =>
    Promise.all(
      dashboards.map(async ({ id, embed_link }) => ({
        id,
        embed_link,
        ...(await embedLinks.check(embed_link, { origin, signal })),
      })),
    )
  const refuse = () => unavailable('Too many links are being checked. Try again in a moment.', 5)
  const objects = await semaphores.slowReads.run(checkAll, { key: actor.id, signal, refuse })
  // The caller may have lost access while waiting.
  await rights.check(actor)
  return { objects }
}
