import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../api/call.ts'
import type { LinkTarget } from '../navigation/back-link.ts'
import classes from './failed.module.css'

/** Where to go instead of a page that is not there: what the link says, and where it leads. */
type Back = { label: string; link: LinkTarget }

type FailedProps = { error: unknown; retry: () => void; back?: Back | Back[] }

/** What happened, and the way out of it. What does not exist will not be there at the next try either. */
export function Failed({ error, retry, back = [] }: FailedProps) {
  const links = error instanceof ApiError && error.status === 404 ? [back].flat() : []
  return (
    <div className={classes.failed} role="alert">
      <p className={classes.text}>{error instanceof ApiError ? error.message : 'This page could not be shown.'}</p>
      <div className={classes.links}>
        {links.map(({ label, link }) => (
          <Button key={label} variant="default" renderRoot={(props) => <Link {...link} {...props} />}>
            {label}
          </Button>
        ))}
        {links.length === 0 && (
          <Button variant="default" onClick={retry}>
            Retry
          </Button>
        )}
      </div>
    </div>
  )
}
