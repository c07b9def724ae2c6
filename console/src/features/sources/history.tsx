import { RecordEvents } from '../activity/shared/record-events.tsx'
import classes from './view.module.css'

/** The changes of a single source. Those of many at once are among its imports. */
export function SourceHistory({ id, onPutBack }: { id: number; onPutBack?: () => Promise<unknown> }) {
  return (
    <div className={classes.card}>
      <RecordEvents of={{ entity: 'source', entity_id: id }} onPutBack={onPutBack} heading="h2" />
    </div>
  )
}
