import { UnstyledButton } from '@mantine/core'
import classes from './copy-value.module.css'
import { Icon } from './icon.tsx'
import { useCopy } from './use-copy.ts'

export const COPY_LABELS = { copied: 'Copied', failed: 'Could not copy' }

/** A text with a button that copies it; the label is what it is, such as 'email of Olena Kovalenko'. */
export function CopyValue({ label, text, onCopied }: { label: string; text: string; onCopied?: () => void }) {
  const { outcome, copy } = useCopy(onCopied)
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
