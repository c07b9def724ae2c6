import { type Operation, operationList } from '@watchdesk/contract/operations/operations'
import { Icon } from '../../ui/display/icon.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import classes from './marks.module.css'
import { isUndo, STATE_MARKS } from './shared/words.ts'

/** The state as an icon and a word: color is never the only sign. */
export function StateTag({ state }: Pick<Operation, 'state'>) {
  const { icon, tone } = STATE_MARKS[state]
  return (
    <Tag tone={tone}>
      <span className={classes.mark}>
        <Icon name={icon} size={14} />
        {operationList.filters.state.options[state]}
      </span>
    </Tag>
  )
}

/** An undo that was taken back is the import done again. */
export function UndoneTag(shown: Pick<Operation, 'kind' | 'is_redo'>) {
  return (
    <Tag tone="amber">
      <span className={classes.mark}>
        <Icon name={isUndo(shown) ? 'redo' : 'undo'} size={14} />
        {isUndo(shown) ? 'Redone' : 'Undone'}
      </span>
    </Tag>
  )
}

/** Whether what was stored is what was sent. After an undo it is no longer there. */
export function VerifiedMark({ verification, undone }: Pick<Operation, 'verification' | 'undone'>) {
  if (!verification || undone) return null
  const { is_equal, expected_count } = verification
  if (is_equal && expected_count === 0) return null
  return (
    <span className={classes.verified} data-differs={!is_equal || undefined}>
      <Icon name={is_equal ? 'shield' : 'alert'} size={16} />
      {is_equal ? 'Verified' : 'Differs'}
    </span>
  )
}
