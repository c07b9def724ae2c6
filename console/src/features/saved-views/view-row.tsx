import { Link } from '@tanstack/react-router'
import type { ViewedList } from '@watchdesk/contract/saved-views'
import { Icon, type IconName } from '../../ui/display/icon.tsx'
import { useCopy } from '../../ui/display/use-copy.ts'
import classes from './views-panel.module.css'

type ViewRowProps = {
  name: string
  list: ViewedList
  search: Record<string, unknown>
  /** It is what is shown now. */
  isCurrent: boolean
  /** Its whole address. */
  link: string
  onOpen: () => void
  onRename: () => void
  onReplace: () => void
  onRemove: () => void
}

export function ViewRow({ name, list, search, isCurrent, link, onOpen, onRename, onReplace, onRemove }: ViewRowProps) {
  const { outcome, copy } = useCopy()
  return (
    <li className={classes.view} aria-current={isCurrent || undefined}>
      <Link
        to={`/${list}`}
        search={search}
        className={classes.link}
        data-current={isCurrent || undefined}
        // Otherwise a link to fewer filters would count as the current page.
        activeOptions={{ exact: true }}
        title={name}
        onClick={onOpen}
      >
        {name}
      </Link>
      <Tool
        icon={outcome === 'copied' ? 'check' : 'copy'}
        label={`Copy link to ${name}`}
        title={outcome === 'failed' ? 'Could not copy' : 'Copy link'}
        onClick={() => copy(link)}
      />
      <Tool
        icon="refresh"
        label={`Replace ${name}`}
        title="Replace with what is shown now"
        disabled={isCurrent}
        onClick={onReplace}
      />
      <Tool icon="pencil" label={`Rename ${name}`} title="Rename" onClick={onRename} />
      <Tool icon="trash" label={`Delete ${name}`} title="Delete" onClick={onRemove} />
      <span role="status" className="visually-hidden">
        {outcome === 'copied' && 'Link copied.'}
        {outcome === 'failed' && 'The link could not be copied.'}
      </span>
    </li>
  )
}

type ToolProps = { icon: IconName; label: string; title: string; disabled?: boolean; onClick: () => void }

function Tool({ icon, label, ...props }: ToolProps) {
  return (
    <button type="button" className={classes.tool} aria-label={label} {...props}>
      <Icon name={icon} size={16} />
    </button>
  )
}
