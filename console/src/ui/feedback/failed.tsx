import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../api/call.ts'
import type { LinkTarget } from '../navigation/back-link.ts'
import classes from './failed.module.css'

const UNKNOWN = 'This page could not be shown. Try again. If it happens again, contact your administrator.'

/** A link to another page, if this one does not exist. */
type Back = { label: string; link: LinkTarget }

type FailedProps = { error: unknown; retry: () => void; back?: Back | Back[] }

/** An error message with a way to continue: a retry, or a link if the page does not exist. */
export function Failed({ error, retry, back = [] }: FailedProps) {
  const links = error instanceof ApiError && error.status === 404 ? [back].flat() : []
  return (
    <div className={classes.failed} role="alert">
      <p className={classes.text}>{error instanceof ApiError ? error.message : UNKNOWN}</p>
      <div className={classes.links}>
        {links.map(({ label, link }) => (
          <Button key={label} variant="default" renderRoot={(props) => <Link {...link} {...props} />}>
            {label}
          </Button>
        ))}
        {links.length === 0 && (
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}
