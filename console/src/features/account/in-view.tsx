import { type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './page.module.css'

/** Starts to load shortly before it comes into view. */
const MARGIN = '300px'

/** Renders its content once its place has come into view. */
export function InView({ children }: { children: ReactNode }) {
  const [isSeen, setSeen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isSeen || !place.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: MARGIN },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isSeen])
  return isSeen ? children : <div ref={place} className={classes.unseen} />
}
