import { getSignInOptions, type SignInOptions } from '@watchdesk/contract/auth/session'
import { useEffect, useState } from 'react'
import { ApiError, call } from '../../api/call.ts'

const ASK_AGAIN_MS = 1_000
const LONGEST_MS = 30_000

/** The other ways to sign in. Undefined until they are known, and with a backend that has none. */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>()
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    ask(ASK_AGAIN_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }

    function ask(delay: number) {
      call(getSignInOptions, { signal: stop.signal }).then(
        // Other backends may answer anything.
        (answer) => setOptions(typeof Object(answer).password === 'boolean' ? answer : undefined),
        (error: unknown) => {
          if (stop.signal.aborted || !isPassing(error)) return
          timer = setTimeout(() => ask(Math.min(2 * delay, LONGEST_MS)), delay)
        },
      )
    }
  }, [])
  return options
}

/** Without the other ways, nobody could sign in to a server that has no passwords. Other backends have no such call. */
function isPassing(error: unknown) {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}
