import { Button, UnstyledButton } from '@mantine/core'
import { formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { useCopy } from '../../ui/display/use-copy.ts'
import type { CreatedUser } from './created.ts'
import classes from './created-panel.module.css'

type CreatedPanelProps = {
  created: CreatedUser[]
  onDismiss: () => void
  /** As wide as the form below it. */
  isNarrow?: boolean
}

/** The email and password of each new user, to pass on. The password is shown nowhere else. */
export function CreatedPanel({ created, onDismiss, isNarrow }: CreatedPanelProps) {
  return (
    <section className={classes.panel} data-narrow={isNarrow} aria-labelledby="created-users">
      <div className={classes.top}>
        <h2 id="created-users" className={classes.title}>
          {created.length === 1 ? 'User created' : `${formatCount(created.length, 'user')} created`}
        </h2>
        <Button variant="default" size="compact-sm" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
      <p className={classes.note}>
        Copy the password now. It is not shown again after you dismiss this message or reload the page.
      </p>
      <ul className={classes.users}>
        {created.map((user) => (
          <Created key={user.email} {...user} />
        ))}
      </ul>
    </section>
  )
}

const COPY_LABELS = { copied: 'Copied', failed: 'Could not copy' }

function Created({ name, email, password }: CreatedUser) {
  const { outcome, copy } = useCopy()
  return (
    <li className={classes.user}>
      <span className={classes.name}>{name}</span>
      <Value label={`email of ${name}`} text={email} />
      <Value label={`password of ${name}`} text={password} />
      <Button
        variant="default"
        size="compact-sm"
        className={classes.both}
        leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
        aria-label={`Copy email and password of ${name}`}
        onClick={() => copy(`${email}\n${password}`)}
      >
        {outcome ? COPY_LABELS[outcome] : 'Copy both'}
      </Button>
    </li>
  )
}

function Value({ label, text }: { label: string; text: string }) {
  const { outcome, copy } = useCopy()
  return (
    <span className={classes.value}>
      <code className={classes.text}>{text}</code>
      <UnstyledButton
        className={classes.copy}
        aria-label={`Copy ${label}`}
        title={outcome ? COPY_LABELS[outcome] : 'Copy'}
        onClick={() => copy(text)}
      >
        <Icon name={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'close' : 'copy'} size={16} />
      </UnstyledButton>
    </span>
  )
}
