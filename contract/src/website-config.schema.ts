import { z } from 'zod'
import { callOf, IfMatch, resultOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { parseJson } from './json.ts'
import { LENGTH } from './limits.ts'
import { invalidSheets, NOT_A_SHEET, SOURCES_SHEET_KEYS, type SourcesSheetKey } from './website-config.ts'

const sheets = Object.fromEntries(
  SOURCES_SHEET_KEYS.map((key) => [
    key,
    field.text(LENGTH.link).describe('Id or address of the sheet with the sources'),
  ]),
) as Record<SourcesSheetKey, ReturnType<typeof field.text>>

const CaseTypes = field.uniqueList(z.string())

const fields = z.strictObject({
  default_case_types: field.about(
    field
      .text(LENGTH.config)
      .refine(
        (value) => CaseTypes.safeParse(parseJson(value)).success,
        'Must be a JSON list of different texts, for example ["fraud","spam"].',
      ),
    'Case types of a new workspace, as a JSON list in a string',
    '["fraud","spam"]',
  ),
  default_stories_vectors_model: field.about(
    field.text(LENGTH.setting),
    'Stories vectors model of a new workspace',
    'lexical',
  ),
  ...sheets,
})

export const WebsiteConfig = fields.describe('The website config')
export const WebsiteConfigUpdate = fields.partial()

export type WebsiteConfig = z.infer<typeof WebsiteConfig>
export type WebsiteConfigUpdate = z.infer<typeof WebsiteConfigUpdate>

/** The update of a stored config in the console. Other backends may have unknown keys. */
export function updateOf(stored: Record<string, unknown>) {
  return WebsiteConfigUpdate.loose().superRefine((changed, context) => {
    for (const key of invalidSheets(stored, changed)) {
      context.addIssue({ code: 'custom', path: [key], message: NOT_A_SHEET })
    }
  })
}

export function parseCaseTypes(value = '') {
  return CaseTypes.safeParse(parseJson(value)).data ?? []
}

export const getWebsiteConfig = resultOf('Read the website config', WebsiteConfig)

export const updateWebsiteConfig = {
  ...callOf('Edit the website config', WebsiteConfigUpdate, WebsiteConfig),
  headers: IfMatch,
}
