import { WebsiteConfigUpdate } from '@watchdesk/contract/website-config'

/** Loaded with its library when the form opens, not before. Other backends may have keys that ours does not know. */
export const schemas = { WebsiteConfigUpdate: WebsiteConfigUpdate.loose() }
