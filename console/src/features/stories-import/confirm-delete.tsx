import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { UndoNote } from '../operations/shared/operation-links.tsx'
import classes from './confirm-delete.module.css'
import { storyCounts } from './queries.ts'
import type { StoriesCheck } from './worker/messages.ts'

const LISTED = 20
const DELETED = 'The existing stories are deleted, with their vectors, before the new ones are imported.'

type Narrative = { narrative_id: number; stories_count?: number }

/** Asks before stories are deleted. Counts are shown if the file can be read here and the backend can count. */
export async function confirmDelete(check: StoriesCheck | undefined): Promise<boolean> {
  const counts = check && (await storyCounts(check.narrative_ids).catch(() => undefined))
  const filled: Narrative[] | undefined = counts
    ? counts.filter(({ stories_count }) => stories_count > 0)
    : check?.narrative_ids.map((narrative_id) => ({ narrative_id }))
  // Nothing would be deleted.
  if (counts && filled?.length === 0) return true
  const total = counts?.reduce((sum, { stories_count }) => sum + stories_count, 0)
  return confirm({
    title: total === undefined ? 'Delete the existing stories?' : `Delete ${stories(total)}?`,
    text: (
      <>
        {whose(filled, counts !== undefined)} {DELETED} <UndoNote />
      </>
    ),
    details: filled && <Narratives narratives={filled} />,
    action: 'Delete and import',
  })
}

function stories(count: number) {
  return formatCount(count, 'existing story', 'existing stories')
}

function whose(narratives: Narrative[] | undefined, areCounted: boolean) {
  if (!narratives)
    return 'The file replaces all stories of its narratives. They cannot be listed, because the file could not be checked.'
  const which = `The file replaces all stories of ${formatCount(narratives.length, 'narrative')}.`
  return areCounted ? which : `${which} The number of existing stories is not known.`
}

function Narratives({ narratives }: { narratives: Narrative[] }) {
  const left = narratives.length - LISTED
  return (
    <ul className={classes.narratives}>
      {narratives.slice(0, LISTED).map(({ narrative_id, stories_count }) => (
        <li key={narrative_id}>
          Narrative {narrative_id}
          {stories_count !== undefined && `: ${formatCount(stories_count, 'story', 'stories')}`}
        </li>
      ))}
      {left > 0 && <li>… and {formatNumber(left)} more narratives</li>}
    </ul>
  )
}
