import { GripVertical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../display/icon.tsx'
import classes from './column-chooser.module.css'

type ColumnChooserProps = {
  /** The headings of all columns by name, in the default order. */
  headings: Record<string, string>
  /** The names of those that are shown, in their order. */
  shown: readonly string[]
  onChange: (shown: string[]) => void
}

type Side = 'up' | 'down'

/** Shows, hides and moves the columns of a table. */
export function ColumnChooser({ headings, shown: given, onChange }: ColumnChooserProps) {
  const { shown, order, setOrder, choose } = useChoice(headings, given, onChange)
  const [dragged, setDragged] = useState<string>()
  const [moved, setMoved] = useState<{ name: string; side: Side }>()
  const list = useRef<HTMLUListElement>(null)

  useEffect(() => list.current?.querySelector('input')?.focus(), [])
  // The element of a column that moves loses the focus. At the end, the button in this direction cannot be pressed again.
  useEffect(() => {
    if (!moved) return
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-column="${moved.name}"] button`)
    const [up, down] = buttons ?? []
    const [pressed, other] = moved.side === 'up' ? [up, down] : [down, up]
    if (pressed?.disabled) other?.focus()
    else pressed?.focus()
  }, [moved])

  function placed(name: string, at: number) {
    const others = order.filter((other) => other !== name)
    return [...others.slice(0, at), name, ...others.slice(at)]
  }

  function move(name: string, side: Side) {
    choose(placed(name, order.indexOf(name) + (side === 'up' ? -1 : 1)))
    setMoved({ name, side })
  }

  return (
    <>
      <ul ref={list} className={classes.columns} aria-label="Columns">
        {order.map((name, at) => (
          <li
            key={name}
            className={classes.column}
            data-column={name}
            data-dragged={dragged === name || undefined}
            draggable
            onDragStart={({ dataTransfer }) => {
              dataTransfer.effectAllowed = 'move'
              setDragged(name)
            }}
            onDragOver={(event) => event.preventDefault()}
            onDragEnter={() => dragged !== undefined && setOrder(placed(dragged, at))}
            onDragEnd={() => {
              setDragged(undefined)
              choose(order)
            }}
          >
            <span className={classes.handle} aria-hidden="true">
              <GripVertical size={16} strokeWidth={1.7} />
            </span>
            <label className={classes.label}>
              <input
                type="checkbox"
                checked={shown.includes(name)}
                // A table without columns shows nothing.
                disabled={shown.length === 1 && shown.includes(name)}
                onChange={() => choose(order, name)}
              />
              {headings[name]}
            </label>
            {(['up', 'down'] as const).map((side) => (
              <button
                key={side}
                type="button"
                className={classes.move}
                aria-label={`Move ${headings[name]} ${side}`}
                disabled={at === (side === 'up' ? 0 : order.length - 1)}
                onClick={() => move(name, side)}
              >
                <Icon name={`chevron-${side}`} size={16} />
              </button>
            ))}
          </li>
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {moved && `${headings[moved.name]} is column ${order.indexOf(moved.name) + 1} of ${order.length}.`}
      </span>
    </>
  )
}

/**
 * The choice, which changes at once, before it is known elsewhere. `order` has all columns; those that were hidden when the
 * choice began are last.
 */
function useChoice(headings: Record<string, string>, given: readonly string[], onChange: (shown: string[]) => void) {
  const [shown, setShown] = useState(given)
  const [order, setOrder] = useState(() => ordered(headings, given))
  const sent = useRef(new Set<string>())

  // Chosen in another way, such as the default columns. What was sent from here arrives later, maybe after the next choice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the columns change, not with every new array of them
  useEffect(() => {
    if (sent.current.delete(given.join())) return
    setShown(given)
    setOrder((names) => (same(names, given) ? names : ordered(headings, given)))
  }, [given.join()])

  /** Takes this order, and shows or hides one of the columns. */
  function choose(names: string[], toggled?: string) {
    const next = names.filter((name) => shown.includes(name) !== (name === toggled))
    setOrder(names)
    if (next.join() === shown.join()) return
    setShown(next)
    sent.current.add(next.join())
    onChange(next)
  }

  return { shown, order, setOrder, choose }
}

function same(order: string[], shown: readonly string[]) {
  return order.filter((name) => shown.includes(name)).join() === shown.join()
}

/** The shown columns first. */
function ordered(headings: Record<string, string>, shown: readonly string[]) {
  return [...shown, ...Object.keys(headings).filter((name) => !shown.includes(name))]
}
