import { editDistance } from '@watchdesk/contract/edit-distance'

/** Shorter names are also one letter away from variables of other software: AIRFLOW_UID, DATABASE_USER. */
const LONG_NAME = 15

/** Names without an underscore, such as PORT, are too short to tell a typo from a variable of other software. */
export function likelySetting(name: string, settings: string[]): string | undefined {
  const written = withoutUnit(name.toUpperCase())
  if (settings.includes(name)) return undefined
  return settings.find((setting) => {
    const meant = withoutUnit(setting)
    const max = Math.min(written.length, meant.length) < LONG_NAME ? 1 : 2
    return meant.includes('_') && editDistance(written, meant, max) <= max
  })
}

/** SESSION_IDLE_HOURS is meant to be SESSION_IDLE_MINUTES. */
function withoutUnit(name: string) {
  return name.replace(/_(MS|SECONDS?|MINUTES?|HOURS?|DAYS?|BYTES?|KB|MB|GB)$/, '')
}
