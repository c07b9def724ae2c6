import { Button } from '@mantine/core'
import { COPY_LABELS, CopyValue } from '../../ui/display/copy-value.tsx'
import { formatCount, formatMoment } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { useCopy } from '../../ui/display/use-copy.ts'
import type { NewUser } from './created.ts'
import classes from './created-panel.module.css'

type CreatedPanelProps = {
  created: NewUser[]
  onDismiss: () => void
  /** As wide as the form below it. */
  isNarrow?: boolean
}

/** The email and password of each new user, or the link to choose one, to pass on. They are shown nowhere else. */
export function CreatedPanel({ created, onDismiss, isNarrow }: CreatedPanelProps) {
  const secrets = [...new Set(created.flatMap((user) => secretOf(user)?.kind ?? []))]
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
      {secrets.length > 0 && (
        <p className={classes.note}>
          Copy the {secrets.join(' and the ')} now. {secrets.length > 1 ? 'They are' : 'It is'} not shown again after
          you dismiss this message or reload the page.
        </p>
      )}
      <ul className={classes.users}>
        {created.map((user) => (
          <Created key={user.email} {...user} />
        ))}
      </ul>
    </section>
  )
}

function Created(user: NewUser) {
  const { name, email, invitation } = user
  const { outcome, copy } = useCopy()
  const secret = secretOf(user)
  return (
    <li className={classes.user}>
      <span className={classes.name}>{name}</span>
      {secret ? (
        <>
          <CopyValue label={`email of ${name}`} text={email} />
          <CopyValue label={`${secret.kind} of ${name}`} text={secret.text} />
          <Button
            variant="default"
            size="compact-sm"
            className={classes.both}
            leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
            aria-label={`Copy email and ${secret.kind} of ${name}`}
            onClick={() => copy(`${email}\n${secret.text}`)}
          >
            {outcome ? COPY_LABELS[outcome] : 'Copy both'}
          </Button>
        </>
      ) : (
        <span>The link is on its way to {invitation?.sent_to ?? email}.</span>
      )}
      {invitation && (
        <span className={classes.expiry}>The link is valid until {formatMoment(invitation.expires_at)}.</span>
      )}
    </li>
  )
}

function secretOf({ password, invitation }: NewUser) {
  if (!invitation) return { kind: 'password', text: password }
  return invitation.link === null ? undefined : { kind: 'link', text: invitation.link }
}
