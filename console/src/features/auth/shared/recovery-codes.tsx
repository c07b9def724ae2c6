import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../ui/display/icon.tsx'
import { useCopy } from '../../../ui/display/use-copy.ts'
import { saveFile } from '../../../ui/file/save-file.ts'
import { useShownOnce } from '../../../ui/navigation/use-shown-once.ts'
import classes from './steps.module.css'

type RecoveryCodesProps = {
  codes: string[]
  /** Written into the file, so that it is clear later whose codes they are. */
  email?: string
  /** The label of the button that continues. */
  action?: string
  onSaved: () => void
}

const COPY_LABELS = { copied: 'Copied', failed: 'Could not copy' }

/** The codes are shown only this once, so the user has to say that they are saved. */
export function RecoveryCodes({ codes, email, action = 'Continue', onSaved }: RecoveryCodesProps) {
  const [isSaved, setSaved] = useState(false)
  const isLeaving = useShownOnce(!isSaved)
  const { outcome, copy } = useCopy()
  return (
    <div className={classes.step}>
      <p className={classes.text}>
        If you lose your device, you can sign in with one of these codes instead. Each works once. They are shown only
        now.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={classes.tools}>
        <Button
          variant="default"
          leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
          onClick={() => copy(codes.join('\n'))}
        >
          {outcome ? COPY_LABELS[outcome] : 'Copy'}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => saveFile(textFile(codes, email), 'watchdesk-recovery-codes.txt')}
        >
          Download
        </Button>
      </div>
      <Checkbox
        label="I have saved them"
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      {isLeaving && (
        <p className="error-text" role="alert">
          Save the codes first. They are not shown again.
        </p>
      )}
      <div className={classes.actions}>
        <Button disabled={!isSaved} onClick={onSaved}>
          {action}
        </Button>
      </div>
    </div>
  )
}

function textFile(codes: string[], email: string | undefined) {
  const title = ['Watchdesk recovery codes', window.location.origin, ...(email ? [email] : [])]
  const lines = [...title, '', ...codes, '', 'Each code works once.']
  return new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' })
}
