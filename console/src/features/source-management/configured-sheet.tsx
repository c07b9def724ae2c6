import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Platform } from '@watchdesk/contract/enums'
import { SheetLink } from '../sheets/shared/sheet-link.tsx'
import { websiteConfigQuery } from '../website-config/queries.ts'
import classes from './page.module.css'

/** The sheet that an import would read. Renders nothing if the config has no sheets. */
export function ConfiguredSheet({ platform }: { platform: Platform }) {
  const { data: config } = useQuery(websiteConfigQuery)
  const values: Record<string, unknown> = config?.values ?? {}
  const sheet = values[`sources_sheet_${platform.toLowerCase()}`]
  if (typeof sheet !== 'string') return null
  const settings = (
    <Link to="/website_config" className={classes.link}>
      website config
    </Link>
  )
  return (
    <p className={classes.sheet}>
      {sheet.trim() === '' ? (
        <>
          No sheet is set for {platform} yet. Export its sources to create one, or set a sheet in the {settings}.
        </>
      ) : (
        <>
          Import reads <SheetLink sheet={sheet}>the {platform} sheet</SheetLink>, which is set in the {settings}. Export
          creates a new sheet and leaves this setting unchanged.
        </>
      )}
    </p>
  )
}
