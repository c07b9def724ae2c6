import {
  getWebsiteConfig,
  updateWebsiteConfig,
  WEBSITE_CONFIG_DEFAULTS,
  type WebsiteConfig,
} from '@watchdesk/contract/website-config'
import { type Backend, Raw } from './backend.ts'

/** The website config, which the form changes. Its version is in a header. */
export function answerConfig(backend: Backend, fields: Partial<WebsiteConfig> = {}) {
  const config: WebsiteConfig = { ...WEBSITE_CONFIG_DEFAULTS, ...fields }
  let version = 1
  const respond = () => new Raw(200, config, { etag: `"${version}"` })
  backend.answer(getWebsiteConfig, respond)
  backend.answer(updateWebsiteConfig, ({ body }) => {
    Object.assign(config, body)
    version += 1
    return respond()
  })
  return config
}
