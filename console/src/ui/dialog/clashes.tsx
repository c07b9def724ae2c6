import { Button } from '@mantine/core'
import { type SubmitEvent, useId, useState } from 'react'
import { formatCount, formatMomentsIn } from '../display/format.ts'
import type { Author } from '../form/conflict.ts'
import classes from './clashes.module.css'
import dialogClasses from './dialog.module.css'
import { openDialog } from './dialogs.tsx'

/** A field that two people changed, with both values as text. */
type Clash = { label: string; author: Author | undefined; mine: string; theirs: string }

export type Side = 'mine' | 'theirs'

type Question = {
  /** What is edited: 'user'. */
  kind: string
  /** Who changed the record last, and when. */
  lastChange: string
  /** What was merged without asking. */
  note: string
  clashes: Clash[]
}

const SIDES: Record<Side, string> = { mine: 'Mine', theirs: 'Theirs' }

/** Asks which value to keep, for each clash. Resolves to the choices in their order; undefined if the user cancels. */
export function askClashes(question: Question): Promise<Side[] | undefined> {
  return openDialog<Side[] | undefined>(
    `Somebody else changed this ${question.kind} while you were editing`,
    undefined,
    (answer) => <Clashes {...question} onAnswer={answer} />,
    'lg',
  )
}

type ClashesProps = Question & { onAnswer: (sides: Side[] | undefined) => void }

function Clashes({ lastChange, note, clashes, onAnswer }: ClashesProps) {
  const id = useId()
  // Nothing is selected at first: a preselected side could be saved without having been read.
  const [sides, setSides] = useState<(Side | undefined)[]>(clashes.map(() => undefined))
  const decided = sides.filter((side) => side !== undefined)
  const left = clashes.length - decided.length

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (left === 0) onAnswer(decided)
  }

  return (
    <form onSubmit={submit}>
      <p className={dialogClasses.text}>
        {introOf(clashes, lastChange)}
        {note !== '' && `\n${note}`}
      </p>
      <div className={classes.clashes}>
        {clashes.map(({ label, author, ...values }, index) => (
          <div key={label} role="radiogroup" aria-labelledby={`${id}-${index}`}>
            <div className={classes.heading}>
              <span id={`${id}-${index}`} className={classes.label}>
                {label}
              </span>
              {author && (
                <span className={classes.author}>{formatMomentsIn(`changed by ${author.name} at ${author.at}`)}</span>
              )}
            </div>
            <div className={classes.sides}>
              {(['mine', 'theirs'] as const).map((side) => (
                <label key={side} className={classes.side}>
                  <input
                    type="radio"
                    name={`${id}-${index}`}
                    aria-label={SIDES[side]}
                    aria-describedby={`${id}-${index}-${side}`}
                    checked={sides[index] === side}
                    onChange={() => setSides(sides.with(index, side))}
                    data-autofocus={(index === 0 && side === 'mine') || undefined}
                  />
                  <span className={classes.name}>{SIDES[side]}</span>
                  <span id={`${id}-${index}-${side}`} className={classes.value} ref={allowScrolling}>
                    {values[side]}
                  </span>
                </label>
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className={dialogClasses.actions}>
        <span className={classes.left} aria-live="polite">
          {left > 0 && `${formatCount(left, 'field')} left to decide`}
        </span>
        <Button variant="default" onClick={() => onAnswer(undefined)}>
          Cancel
        </Button>
        <Button type="submit" disabled={left > 0}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** Without the author of each field, the rejection says who saved the record last. */
function introOf(clashes: Clash[], lastChange: string) {
  const names = clashes.map(({ author }) => author?.name)
  const who = names.every((name) => name !== undefined)
    ? `You and ${new Intl.ListFormat('en').format(new Set(names))} changed`
    : `${formatMomentsIn(lastChange)} You both changed`
  return clashes.length === 1
    ? `${who} the same field. Choose the value to save.`
    : `${who} the same fields. Choose the value to save for each.`
}

/** Long text scrolls, which needs the focus in browsers that do not focus scroll containers themselves. */
function allowScrolling(value: HTMLElement | null) {
  if (value && value.scrollHeight > value.clientHeight) value.tabIndex = 0
}
