import type { Import } from '@watchdesk/contract/imports'
import { useEffect, useState } from 'react'
import { LargeProgress } from './progress.tsx'
import classes from './status.module.css'

const LONG_MS = 5_000

/** The progress of an import in the background. */
export function Running({ shown }: { shown: Import }) {
  const isLong = useIsLong(shown.created_at)
  return (
    <>
      <div className={classes.running}>
        <LargeProgress shown={shown} />
      </div>
      {isLong && (
        <p className={classes.leave}>
          You can leave this page. The import continues, and you are told when it is done.
        </p>
      )}
    </>
  )
}

/** Whether it has taken longer than people like to wait. */
function useIsLong(since: string) {
  const [isLong, setLong] = useState(() => Date.now() - Date.parse(since) >= LONG_MS)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), Math.max(0, LONG_MS - (Date.now() - Date.parse(since))))
    return () => clearTimeout(timer)
  }, [since])
  return isLong
}
