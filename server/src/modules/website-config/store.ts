import {
  invalidSheets,
  NOT_A_SHEET,
  type WebsiteConfig,
  type WebsiteConfigUpdate,
} from '@watchdesk/contract/website-config'
import { parseCaseTypes } from '@watchdesk/contract/website-config.schema'
import type { Actor } from '../../actor.ts'
import { audited, type Change, changesBetween } from '../../db/audit.ts'
import { checkVersion, editedBy } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import { websiteConfigValues } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import { found, invalid } from '../../problem.ts'
import { configuredSheets, selectConfig } from '../sheets/configured.ts'

export function editConfig(
  trx: Trx,
  actor: Actor,
  { values, version }: { values: WebsiteConfig; version: number },
  body: WebsiteConfigUpdate,
  action: Change = 'update',
) {
  const record = { name: 'Website config', version: version + 1 }
  const changes = changesBetween(values, body)
  return trx
    .with('audited', audited(actor, { action, entity: 'website_config', entity_id: null, record, changes }))
    .updateTable('website_config')
    .set({ values: JSON.stringify({ ...values, ...body }), ...editedBy(actor) })
    .returning([websiteConfigValues, 'version'])
    .executeTakeFirstOrThrow()
}

export function websiteConfigStore({ db, read, rights, catalog, env }: Deps) {
  return { get, update }

  /** The version is separate from the values, because the form shows every value as a setting. */
  async function get() {
    const [row] = await read(selectConfig(db).select('version'))
    return found(row, 'Website config')
  }

  function update(actor: Actor, body: WebsiteConfigUpdate, ifMatch?: string, action: Change = 'update') {
    return rights.write(actor, async (trx) => {
      const config = selectConfig(trx).select(['version', 'updated_at', 'updated_by']).forUpdate()
      const current = await config.executeTakeFirstOrThrow()
      await checkVersion(trx, 'website config', current, ifMatch)
      checkChoices(current.values, body)
      const [notASheet] = invalidSheets(current.values, body)
      if (notASheet) throw invalid(notASheet, NOT_A_SHEET)
      const changes = changesBetween(current.values, body)
      if (Object.keys(changes).length === 0) return current
      await checkOwnSheets(trx, { ...current.values, ...body }, changes)
      return editConfig(trx, actor, current, body, action)
    })
  }

  /** A sheet in this console must exist. The config is locked, so no sheet in it is deleted at this moment. */
  async function checkOwnSheets(trx: Trx, values: WebsiteConfig, changes: object) {
    for (const [id, keys] of configuredSheets({ values }, env.PUBLIC_URL)) {
      const changed = keys.find((key) => key in changes)
      if (!changed) continue
      const sheet = trx.selectFrom('sheets').select('id').where('id', '=', id).where('deleted_at', 'is', null)
      if (!(await sheet.executeTakeFirst())) throw invalid(changed, `Sheet ${id} does not exist. Check its URL.`)
    }
  }

  function checkChoices(held: WebsiteConfig, body: WebsiteConfigUpdate) {
    const types = [...catalog.case_types, ...parseCaseTypes(held.default_case_types)]
    const strange = parseCaseTypes(body.default_case_types).find((name) => !types.includes(name))
    if (strange !== undefined) throw invalid('default_case_types', `${strange} is not a case type.`)
    const models = [held.default_stories_vectors_model, ...Object.values(catalog.vectorization_models)]
    const model = body.default_stories_vectors_model ?? held.default_stories_vectors_model
    if (!models.includes(model))
      throw invalid('default_stories_vectors_model', `${model} is not one of the stories vectors models.`)
  }
}
