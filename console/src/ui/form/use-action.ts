import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { type FieldErrors, loadSchema, type Schema, validate } from './field-errors.ts'

/** The error message, and details if there are any. */
export type Failure = { text: string; hint?: string }

type Options<Body> = {
  /** The request body to validate; its fields have the names of the form's fields. */
  body: () => unknown
  /** Loads the contract's schema: `() => import('@watchdesk/contract/users.schema').then((schema) => schema.UserCreate)`. */
  schema: () => Promise<Schema<Body>>
  send: (body: Body) => Promise<unknown>
}

export type Action = {
  pending: boolean
  failure: Failure | undefined
  errors: FieldErrors
  /** The number of submits rejected by validation. */
  refusals: number
  /** Submits the form's values, or the given ones. */
  submit: (given?: unknown) => void
  /** Loads the schema while the user still types. */
  prepare: () => void
  /** Clears the failure and the error of a field when its value changes. */
  changed: (field: string) => void
}

/** A form that runs an action: validates, sends once, and shows errors on the page. */
export function useAction<Body>({ body, schema, send }: Options<Body>): Action {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refusals, setRefusals] = useState(0)
  const sending = useRef(false)
  // Some fields commit the typed text only on submit.
  const latest = useRef(body)
  latest.current = body

  async function submit(given: unknown) {
    // State alone would let through a second event before the next render.
    if (sending.current) return
    sending.current = true
    setPending(true)
    setFailure(undefined)
    try {
      // The next render has the text that fields commit on submit. What is changed while the schema loads is not sent.
      await null
      const values = given ?? latest.current()
      const checked = await validate(await loadSchema(schema), values)
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
