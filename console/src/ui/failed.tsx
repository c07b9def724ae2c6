import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { ApiError } from '../api/call.ts'
import classes from './failed.module.css'

/** What happened, and the way out of it. */
export function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className={classes.failed} role="alert">
      <p className={classes.text}>{error instanceof ApiError ? error.message : 'This page could not be shown.'}</p>
      <Button variant="default" onClick={retry}>
        Retry
      </Button>
    </div>
  )
}
