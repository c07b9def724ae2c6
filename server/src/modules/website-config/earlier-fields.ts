import { invalidSheets, NOT_A_SHEET } from '@watchdesk/contract/website-config'
import { parseCaseTypes, WebsiteConfigUpdate } from '@watchdesk/contract/website-config.schema'
import type { Deps } from '../../deps.ts'
import { checkModel, type EarlierFields, fieldsOf, without } from '../activity/record-kind.ts'
import { websiteConfigStore } from './store.ts'

export function websiteConfigFields(deps: Deps): EarlierFields {
  const { catalog } = deps
  const config = websiteConfigStore(deps)
  return fieldsOf(WebsiteConfigUpdate, {
    async get() {
      const { values, version } = await config.get()
      return { ...values, version }
    },
    update: (actor, _id, ...edit) => config.update(actor, ...edit),
    async check(_actor, { values }, field, then) {
      if (field === 'default_stories_vectors_model' && then[field]) return checkModel(catalog, then[field])
      if (field === 'default_case_types') {
        const [wanted, held] = [then[field], values[field]].map((list) => parseCaseTypes(String(list)))
        const { earlier, note } = without(wanted, held, catalog.case_types, (name) => `case type ${name}`)
        return note ? { earlier: JSON.stringify(earlier), note } : {}
      }
      return invalidSheets(values, { [field]: then[field] }).length > 0 ? { problem: NOT_A_SHEET } : {}
    },
  })
}
