import type { Import } from '@watchdesk/contract/imports'
import { Icon } from '../../ui/display/icon.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import classes from './marks.module.css'
import { STATES } from './shared/words.ts'

/** The state as an icon and a word: color is never the only sign. */
export function StateTag({ state }: Pick<Import, 'state'>) {
  const { label, icon, tone } = STATES[state]
  return (
    <Tag tone={tone}>
      <span className={classes.mark}>
        <Icon name={icon} size={14} />
        {label}
      </span>
    </Tag>
  )
}

export function UndoneTag() {
  return (
    <Tag tone="amber">
      <span className={classes.mark}>
        <Icon name="undo" size={14} />
        Undone
      </span>
    </Tag>
  )
}

/** Whether what was stored is what was sent. */
export function VerifiedMark({ verification }: Pick<Import, 'verification'>) {
  if (!verification) return null
  const { is_equal, expected_count } = verification
  if (is_equal && expected_count === 0) return null
  return (
    <span className={classes.verified} data-differs={!is_equal || undefined}>
      <Icon name={is_equal ? 'shield' : 'alert'} size={16} />
      {is_equal ? 'Verified' : 'Differs'}
    </span>
  )
}
