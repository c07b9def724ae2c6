import { lazy, Suspense, useSyncExternalStore } from 'react'

const Host = lazy(() => import('./dialogs-host.tsx').then((module) => ({ default: module.DialogsHost })))

let isWanted = false
let tellReady = () => {}
const ready = new Promise<void>((resolve) => {
  tellReady = resolve
})
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where dialogs appear. Their code is loaded with the first of them: most visits see none. */
export function Dialogs() {
  const isNeeded = useSyncExternalStore(subscribe, () => isWanted)
  return isNeeded && <Suspense>{<Host onReady={tellReady} />}</Suspense>
}

export function dialogsReady() {
  isWanted = true
  for (const listener of listeners) listener()
  return ready
}
