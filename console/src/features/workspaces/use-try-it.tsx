import { type ComponentType, useState } from 'react'
import { toastError } from '../../ui/feedback/toast.tsx'
import classes from './threshold-field.module.css'
import type { TryItProps } from './try-it.tsx'

/** A button that unfolds the try-out of a threshold, which is only loaded when someone reaches for it. */
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
