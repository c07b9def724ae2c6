import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { type FieldErrors, type Schema, validate } from './field-errors.ts'

/** What went wrong: by the general rule, and what is known beyond it. */
export type Failure = { text: string; hint?: string }

type Options<Body> = {
  /** What is checked and sent; its fields bear the names of the form's fields. */
  body: () => unknown
  /** Loads the contract's schema: `() => import('@watchdesk/contract/users.schema').then((schema) => schema.UserCreate)`. */
  schema: () => Promise<Schema<Body>>
  send: (body: Body) => Promise<unknown>
}

export type Action = {
  pending: boolean
  failure: Failure | undefined
  errors: FieldErrors
  /** Counts the submits that failed at a field. */
  refusals: number
  /** Sends what the form holds, or what is given instead. */
  submit: (given?: unknown) => void
  /** Fetches what a submit needs, while the person still types. */
  prepare: () => void
  /** Takes back what was said, of a field and of what was sent, now that it changes. */
  changed: (field: string) => void
}

/** A form that does something rather than save something: checks, sends once, tells on the page what went wrong. */
export function useAction<Body>({ body, schema, send }: Options<Body>): Action {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refusals, setRefusals] = useState(0)
  const sending = useRef(false)
  // A field may take what was typed into it only when the form is sent.
  const latest = useRef(body)
  latest.current = body

  async function submit(given: unknown) {
    // The state alone lets a second event pass that comes before the next render.
    if (sending.current) return
    sending.current = true
    setPending(true)
    setFailure(undefined)
    try {
      const checked = await validate(await schema(), given ?? latest.current())
      setErrors(checked.errors ?? {})
      if (checked.errors) setRefusals((count) => count + 1)
      else await send(checked.body)
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  return {
    pending,
    failure,
    errors,
    refusals,
    submit: (given) => void submit(given),
    prepare: () => void schema().catch(() => {}),
    changed: (field) => {
      setFailure(undefined)
      setErrors((errors) => (field in errors ? { ...errors, [field]: '' } : errors))
    },
  }
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return { text: SOMETHING_WENT_WRONG }
  return { text: error.text, ...(error.message !== error.text && { hint: error.message }) }
}
