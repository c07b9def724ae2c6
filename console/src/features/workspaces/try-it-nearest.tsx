import { Link } from '@tanstack/react-router'
import { SIMILARITY } from '@watchdesk/contract/limits'
import type { SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { formatThreshold } from './fields.ts'
import classes from './try-it.module.css'

type NearestProps = {
  found: SimilarStories
  /** The threshold of the request, which may lie between the slider's steps. */
  asked: number | null
  threshold: number | null
}

/** More decimals than the slider, to show what just misses a step. */
const thousandths = new Intl.NumberFormat(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 })

export function Nearest({ found, asked, threshold }: NearestProps) {
  const { vectorized_count, nearest, model } = found
  if (vectorized_count === 0) {
    return (
      <p className={classes.count} role="status">
        Narrative {found.narrative_id} has no stories vectorized with the model {model} yet.{' '}
        <Link to="/narratives_vectorization" search={{ narrative_id: found.narrative_id }} target="_blank">
          Vectorize the narrative first
        </Link>
        .
      </p>
    )
  }
  const passing =
    threshold === null ? vectorized_count : threshold === asked ? found.passing_count : at(found, threshold)
  const passes = (similarity: number) => threshold === null || similarity >= threshold
  const firstBelow = nearest.findIndex(({ similarity }) => !passes(similarity))
  return (
    <>
      <p className={classes.count} role="status">
        <strong>
          {formatNumber(passing)} of {formatCount(vectorized_count, 'story', 'stories')}
        </strong>{' '}
        {threshold === null
          ? 'pass, because no threshold is set'
          : `pass the threshold of ${formatThreshold(threshold)}`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <ol className={classes.nearest} aria-label="Most similar stories" tabIndex={0}>
        {nearest.map(({ id, story, similarity, message_composite_id }, index) => (
          <li
            key={id}
            className={classes.story}
            data-below={!passes(similarity) || undefined}
            data-first-below={index === firstBelow || undefined}
          >
            <span className={classes.similarity}>{thousandths.format(similarity)}</span>
            <span className={classes.words}>
              <span className={classes.storyText}>{story}</span>
              <span className={classes.message}>
                {!passes(similarity) && 'Below the threshold · '}
                {message_composite_id}
              </span>
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.about}>
        {passing > nearest.length && `Only the ${nearest.length} most similar stories are listed. `}Compared with the
        model {model}.
      </p>
    </>
  )
}

function at({ passing_counts, passing_count }: SimilarStories, threshold: number) {
  return passing_counts[Math.round(threshold / SIMILARITY.step)] ?? passing_count
}
