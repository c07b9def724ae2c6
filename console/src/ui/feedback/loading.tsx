import '@mantine/core/styles/Loader.layer.css'
import { Loader } from '@mantine/core'
import classes from './loading.module.css'

/** Stands where a page, a part of one or a button will be. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={classes.loading} role="status" aria-label={label}>
      <Loader size="sm" />
    </div>
  )
}
