import '@mantine/core/styles/Loader.layer.css'
import { Loader } from '@mantine/core'
import classes from './loading.module.css'

/** A placeholder for a page, a part of it or a button. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={classes.loading} role="status" aria-label={label}>
      <Loader size="sm" />
    </div>
  )
}
