import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import classes from './alike.module.css'
import type { Alike } from './worker/messages.ts'

const FIRST = 3

type AlikeListProps = {
  alike: Alike[]
  onAccept: (key: string) => void
  onShow: (key: string) => void
  /** After the last suggestion was accepted. */
  onEmpty: () => void
}

/** Errors whose correction is clear, each with all rows that have it. Nothing is corrected without a click. */
export function AlikeList({ alike, onAccept, onShow, onEmpty }: AlikeListProps) {
  const [isAll, setAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const accepted = useRef<string>(undefined)

  // The button that was pressed is gone, and the focus with it.
  useEffect(() => {
    if (accepted.current === undefined || alike.some(({ key }) => key === accepted.current)) return
    accepted.current = undefined
    if (document.activeElement !== document.body) return
    const next = list.current?.querySelector<HTMLElement>('button[data-apply]')
    if (next) next.focus()
    else onEmpty()
  }, [alike, onEmpty])

  if (alike.length === 0) return null
  return (
    <section className={classes.box} aria-labelledby="suggestions">
      <h3 id="suggestions" className={classes.title}>
        Suggestions
      </h3>
      <ul ref={list} className={classes.list}>
        {alike.slice(0, isAll ? undefined : FIRST).map(({ key, from, to, count }) => (
          <li key={key} className={classes.item}>
            <span className={classes.texts}>
              <del className={classes.from}>{from}</del> <span aria-hidden="true">→</span>{' '}
              <ins className={classes.to}>{to}</ins>
            </span>
            <span className={classes.actions}>
              {count > 1 && (
                <Button variant="subtle" size="compact-sm" onClick={() => onShow(key)}>
                  Show {formatNumber(count)} like this
                </Button>
              )}
              <Button
                variant="default"
                size="compact-sm"
                data-apply
                onClick={() => {
                  accepted.current = key
                  onAccept(key)
                }}
              >
                {count > 1 ? `Apply to all ${formatNumber(count)}` : 'Apply'}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {alike.length > FIRST && (
        <Button
          className={classes.more}
          variant="subtle"
          size="compact-sm"
          aria-expanded={isAll}
          onClick={() => setAll(!isAll)}
        >
          {isAll ? 'Show fewer' : `Show ${alike.length - FIRST} more`}
        </Button>
      )}
    </section>
  )
}
