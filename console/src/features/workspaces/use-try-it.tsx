import { type ComponentType, useState } from 'react'
import { toastError } from '../../ui/feedback/toast.tsx'
import classes from './threshold-field.module.css'
import type { TryItProps } from './try-it.tsx'

/** A button that opens the threshold test, which is loaded on hover or focus. */
export function useTryIt(threshold: number | null) {
  const [TryIt, setTryIt] = useState<ComponentType<TryItProps>>()

  async function open() {
    try {
      const { TryIt: loaded } = await load()
      setTryIt(() => loaded)
    } catch (failure) {
      toastError(failure)
    }
  }

  const button = (
    <button
      type="button"
      className={classes.clear}
      aria-expanded={TryIt !== undefined}
      onClick={() => (TryIt ? setTryIt(undefined) : void open())}
      onMouseEnter={() => void load().catch(() => {})}
      onFocus={() => void load().catch(() => {})}
    >
      Try it
    </button>
  )
  return { button, panel: TryIt && <TryIt threshold={threshold} /> }
}

function load() {
  return import('./try-it.tsx')
}
