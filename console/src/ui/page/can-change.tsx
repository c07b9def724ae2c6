import { createContext, type ReactNode, use } from 'react'
import classes from './page.module.css'

/** Whether the user may change anything: auditors may not. Set for every page in `app/allowed-page.tsx`. */
export const CanChange = createContext(true)

export function useCanChange() {
  return use(CanChange)
}

/** What changes something. Auditors see `instead`, or nothing. */
export function Changing({ instead, children }: { instead?: ReactNode; children: ReactNode }) {
  return useCanChange() ? children : instead
}

/** Above what auditors can only look at, and in place of what they cannot start. */
export function AuditorNote() {
  return (
    <p className={classes.auditor} role="note">
      You are an auditor: you can look at everything, but not change it.
    </p>
  )
}
