import { type ReactNode, useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  kind: 'success' | 'error'
  content: ReactNode
  closesAfterMs: number
  /** Results of actions do not replace it. */
  isKept: boolean
  name: string | undefined
  isLeaving: boolean
}

/** As long as the transition in `toasts.module.css`. */
const LEAVING_MS = 120

let toasts: Toast[] = []
let shown = 0
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function useToasts() {
  return useSyncExternalStore(subscribe, () => toasts)
}

export function openToasts() {
  return toasts.filter(({ isLeaving }) => !isLeaving)
}

/** Returns its id. */
export function showToast(toast: Omit<Toast, 'id' | 'isLeaving'>) {
  shown += 1
  set([...toasts, { ...toast, id: shown, isLeaving: false }])
  return shown
}

export function hideToast(id: number) {
  set(toasts.map((toast) => (toast.id === id ? { ...toast, isLeaving: true } : toast)))
  setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), LEAVING_MS)
}
