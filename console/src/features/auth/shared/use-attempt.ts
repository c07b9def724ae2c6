import { useRef, useState } from 'react'

type Attempt = {
  pending: boolean
  /** Why the last attempt failed. */
  failure: string
  /** Ignored while another attempt runs. */
  attempt: (work: () => Promise<void>) => void
  clear: () => void
}

/** Runs one piece of work at a time, and keeps its error message. */
export function useAttempt(): Attempt {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState('')
  // State alone would let through a second event before the next render.
  const running = useRef(false)

  async function run(work: () => Promise<void>) {
    if (running.current) return
    running.current = true
    setPending(true)
    setFailure('')
    try {
      await work()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      running.current = false
      setPending(false)
    }
  }

  return { pending, failure, attempt: (work) => void run(work), clear: () => setFailure('') }
}
