import { Button } from '@mantine/core'
import type { SourceDetails } from '@watchdesk/contract/sources'
import { Icon } from '../../ui/display/icon.tsx'
import { useCopy } from '../../ui/display/use-copy.ts'
import { webLink } from '../../ui/display/web-link.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { useRemoveSource } from './use-remove.tsx'
import classes from './view.module.css'

type SourceActionsProps = { source: SourceDetails; onRemoved: () => Promise<unknown> }

/** Opens or copies the address, or removes the source. */
export function SourceActions({ source, onRemoved }: SourceActionsProps) {
  const { outcome, copy } = useCopy()
  const remove = useRemoveSource(onRemoved)
  const canChange = useCanChange()
  const href = webLink(source.url)
  return (
    <div className={classes.actions}>
      {href && (
        <Button
          variant="default"
          leftSection={<Icon name="external-link" />}
          renderRoot={(props) => <a href={href} target="_blank" rel="noopener noreferrer" {...props} />}
        >
          Open address
        </Button>
      )}
      <Button variant="default" leftSection={<Icon name="copy" />} onClick={() => copy(source.url)}>
        {outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Not copied' : 'Copy address'}
      </Button>
      <span className="visually-hidden" role="status">
        {outcome === 'copied' && 'Address copied'}
      </span>
      {canChange && source.deleted_at === null && (
        <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => void remove(source)}>
          Remove
        </Button>
      )}
    </div>
  )
}
