import { useRef } from 'react'

/**
 * Returns the key for a request: the same one while the same input is sent again, because the first request may have
 * arrived. After a response, the next request gets a new key.
 */
export function useIdempotencyKey() {
  const held = useRef<{ sent: readonly unknown[]; key: string }>(undefined)
  return {
    keyOf: (...sent: readonly unknown[]) => {
      const isSame = held.current?.sent.every((part, index) => part === sent[index])
      if (!held.current || !isSame) held.current = { sent, key: randomKey() }
      return held.current.key
    },
    renewKey: () => {
      held.current = undefined
    },
  }
}

/** `crypto.randomUUID` is missing where the console is served over plain http. */
export function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
