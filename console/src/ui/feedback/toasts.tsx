import '@mantine/core/styles/CloseButton.layer.css'
import { CloseButton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../display/icon.tsx'
import { hideToast, type Toast, useToasts } from './toast-store.ts'
import classes from './toasts.module.css'
import { useSwipe } from './use-swipe.ts'

/** The others wait. */
const MAX_VISIBLE = 3

/** The messages about what happened. They stay while the pointer or the focus is on one of them. */
export function Toasts() {
  const toasts = useToasts()
  const place = useRef<HTMLDivElement>(null)
  const [timesLeft, setTimesLeft] = useState(0)
  return (
    <div ref={place} className={classes.toasts}>
      {toasts.slice(0, MAX_VISIBLE).map((toast) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          timesLeft={timesLeft}
          onLeave={() => setTimesLeft(timesLeft + 1)}
          isUsed={() => place.current?.matches(':hover, :focus-within') === true}
        />
      ))}
    </div>
  )
}

type ToastCardProps = { toast: Toast; timesLeft: number; onLeave: () => void; isUsed: () => boolean }

function ToastCard({ toast, timesLeft, onLeave, isUsed }: ToastCardProps) {
  const { id, kind, content, closesAfterMs, isLeaving } = toast
  const swipe = useSwipe(() => hideToast(id))

  // biome-ignore lint/correctness/useExhaustiveDependencies: the time starts again when the pointer or the focus leaves
  useEffect(() => {
    const timer = setInterval(() => isUsed() || hideToast(id), closesAfterMs)
    return () => clearInterval(timer)
  }, [id, closesAfterMs, timesLeft])

  return (
    <div
      className={classes.toast}
      role="alert"
      data-kind={kind}
      data-leaving={isLeaving || undefined}
      onMouseLeave={onLeave}
      onBlur={onLeave}
      {...swipe}
    >
      <span className={classes.icon}>
        <Icon name={kind === 'success' ? 'check' : 'alert'} />
      </span>
      <div className={classes.message}>{content}</div>
      <CloseButton iconSize={16} aria-label="Close message" onClick={() => hideToast(id)} />
    </div>
  )
}
