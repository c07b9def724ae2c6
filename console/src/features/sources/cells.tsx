import { Link } from '@tanstack/react-router'
import type { MonitoredSource } from '@watchdesk/contract/sources'
import { countryName } from '../../ui/display/country-name.ts'
import { formatLocalDay, formatMoment } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { webLink } from '../../ui/display/web-link.ts'
import { useBackState } from '../../ui/navigation/back-link.ts'
import classes from './cells.module.css'
import { operationName } from './words.ts'

/** The address without the usual `https://`, which opens in a new tab. Anything but a web address is text. */
export function Address({ url }: { url: string }) {
  const href = webLink(url)
  if (href === undefined) return url
  return (
    <a className={classes.address} href={href} target="_blank" rel="noopener noreferrer">
      {url.replace(/^https:\/\//, '')}
      <Icon name="external-link" size={14} />
    </a>
  )
}

/** The name of the country, and its code on hover. */
export function Country({ code }: { code: string | null }) {
  return code === null ? '–' : <span title={code}>{countryName(code)}</span>
}

/** The day, and below it who. */
export function Added({ created_at, created_by }: Pick<MonitoredSource, 'created_at' | 'created_by'>) {
  return (
    <>
      <span title={formatMoment(created_at)}>{formatLocalDay(created_at)}</span>{' '}
      {created_by && <span className={classes.author}>by {created_by.name}</span>}
    </>
  )
}

/** The import that added the source. */
export function ImportLink({
  of: { import: reference, platform },
}: {
  of: Pick<MonitoredSource, 'import'> & { platform?: MonitoredSource['platform'] }
}) {
  const backState = useBackState()
  if (reference === null) return '–'
  return (
    <Link to="/imports/$id" params={{ id: String(reference.id) }} state={backState}>
      {operationName(reference, platform)}
    </Link>
  )
}
