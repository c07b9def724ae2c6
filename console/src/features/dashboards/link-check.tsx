import { Button } from '@mantine/core'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Tag, type Tone } from '../../ui/display/tag.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import classes from './link-check.module.css'
import { type LinkWords, linkWords } from './link-words.ts'
import type { LinkChecking, LinkResultState } from './use-link-check.ts'

const TONES: Record<LinkWords['kind'], Tone> = {
  works: 'teal',
  not_embeddable: 'amber',
  unreachable: 'red',
  unchecked: 'plain',
}

type BarProps = { check: LinkChecking; dashboards: Dashboard[] }

/** The button that checks all links, and while it works, how far it is. */
export function LinkCheckBar({ check, dashboards }: BarProps) {
  const { progress } = check
  return (
    <div className={classes.bar}>
      <span className={classes.status} role="status">
        {progress ? `Checked ${progress.done} of ${formatCount(progress.total, 'link')}` : summaryOf(check, dashboards)}
      </span>
      {progress ? (
        <>
          <span className={classes.progress}>
            <Progress label="Links checked" share={progress.done / progress.total} />
          </span>
          <Button variant="default" onClick={check.cancel}>
            Cancel
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          leftSection={<Icon name="refresh" />}
          disabled={dashboards.length === 0}
          onClick={() => void check.run(dashboards)}
        >
          Check links
        </Button>
      )}
    </div>
  )
}

/** '10 links work, 2 do not'. */
function summaryOf({ resultOf }: LinkChecking, dashboards: Dashboard[]) {
  const kinds = dashboards
    .map(resultOf)
    .flatMap((result) => (typeof result === 'object' ? [linkWords(result, window.location.href).kind] : []))
    .filter((kind) => kind !== 'unchecked')
  if (kinds.length === 0) return ''
  const works = kinds.filter((kind) => kind === 'works').length
  if (works === kinds.length) return formatCount(works, 'link works', 'links work')
  return `${formatCount(works, 'link works', 'links work')}, ${formatCount(kinds.length - works, 'does not', 'do not')}`
}

export function LinkResult({ of: result }: { of: LinkResultState }) {
  if (result === 'waiting') return <span className={classes.text}>Checking…</span>
  if (result === undefined) return <span className={classes.text}>Not checked</span>
  const { kind, tag, text } = linkWords(result, window.location.href)
  return (
    <span className={classes.result}>
      <Tag tone={TONES[kind]}>{tag}</Tag>
      <span className={classes.text}>{text}</span>
    </span>
  )
}
