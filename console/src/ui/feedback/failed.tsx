import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import { ApiError } from '../../api/call.ts'
import type { LinkTarget } from '../navigation/back-link.ts'
import classes from './failed.module.css'

const UNKNOWN = 'This page could not be shown. Try again. If it happens again, contact your administrator.'

/** A link to another page, if this one does not exist. */
type Back = { label: string; link: LinkTarget }

type FailedProps = { error: unknown; retry: () => void; back?: Back | Back[] }

/** An error message, what else is known, and a way to continue: a retry, or a link if the page does not exist. */
export function Failed({ error, retry, back = [] }: FailedProps) {
  const { text, message } = error instanceof ApiError ? error : { text: SOMETHING_WENT_WRONG, message: UNKNOWN }
  const links = error instanceof ApiError && error.status === 404 ? [back].flat() : []
  return (
    <div className={classes.failed} role="alert">
      <div className={classes.text}>
        {text}
        {message !== text && <div className={classes.hint}>{message}</div>}
      </div>
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
