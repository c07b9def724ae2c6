import { getSignInOptions, type SignInOptions } from '@watchdesk/contract/session'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'

/** The other ways to sign in. Undefined until they are known, and with a backend that has none. */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>()
  useEffect(() => {
    const stop = new AbortController()
    call(getSignInOptions, { signal: stop.signal }).then(
      // Other backends may answer anything.
      (answer) => setOptions(typeof Object(answer).password === 'boolean' ? answer : undefined),
      () => {},
    )
    return () => stop.abort()
  }, [])
  return options
}
