import { type UseFormReturnType, useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { ifMatch, type Version } from '../../api/if-match.ts'
import { confirm } from '../dialog/confirm.tsx'
import type { Conflict } from '../dialog/conflict.tsx'
import { toastError } from '../feedback/toast.tsx'
import { useLeaveGuard } from '../navigation/use-leave-guard.ts'
import { type FieldErrors, fieldErrorsOf, type Schema, validate } from './field-errors.ts'

type Options<Values extends object, Body, Result> = {
  initial: Values
  /** Loads the contract's schema of the body: `() => import('@watchdesk/contract/users.schema').then((schema) => schema.UserCreate)`. */
  schema: () => Promise<Schema<Body>>
  /** What is sent for the values. Its fields bear the names of the form's fields. */
  body: (values: Values) => unknown
  save: (body: Body, headers: { 'if-match'?: string }) => Promise<Result>
  /** Where to go then. The guard against lost changes is off by now. */
  saved: (result: Result, sent: Sent<Values>) => unknown
  /** The fields that another failure is about, where it says more than the body of a 422. */
  fieldErrors?: (error: ApiError) => FieldErrors
  /** What the form holds after "add another", where it has that. */
  another?: (values: Values) => Values
  /** Of an edit: the version that the initial values had, and what to do when it is not the newest any more. */
  version?: Version
  conflict?: Conflict<Values>
}

/** What was saved, and whether the form stays for another. */
type Sent<Values> = { values: Values; isAnother: boolean }

export type Save<Values> = {
  form: UseFormReturnType<Values>
  pending: boolean
  submit: (isAnother?: boolean) => void
  /** Fetches what a submit needs, while the person still types. */
  prepare: () => void
  /** Counts the submits that failed at a field. */
  refusals: number
  /** Counts the times that the form began anew. */
  restarts: number
  hasChanges: boolean
}

/** A form's way to the server: checks, sends once, tells what went wrong, settles conflicts, guards what is not saved. */
export function useSave<Values extends object, Body, Result>(options: Options<Values, Body, Result>): Save<Values> {
  const form = useForm<Values>({ mode: 'controlled', initialValues: options.initial })
  const [pending, setPending] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const [restarts, setRestarts] = useState(0)
  const sending = useRef(false)
  const isSaved = useRef(false)
  const version = useRef(options.version)
  const hasChanges = form.isDirty()

  useLeaveGuard(
    () => hasChanges && !isSaved.current,
    () =>
      confirm({
        title: 'Leave without saving?',
        text: 'Your changes on this page have not been saved and will be lost.',
        action: 'Leave',
        cancel: 'Stay',
      }),
  )

  async function submit(isAnother: boolean) {
    // The state alone lets a second event pass that comes before the next render.
    if (sending.current) return
    sending.current = true
    setPending(true)
    try {
      const values = form.getValues()
      const checked = await validate(await options.schema(), options.body(values))
      if (checked.errors) return refuse(checked.errors)
      form.clearErrors()
      const result = await send(checked.body)
      if (result === undefined) return
      isSaved.current = true
      await options.saved(result.saved, { values, isAnother })
      if (isAnother && options.another) restart(options.another(values))
    } catch (error) {
      isSaved.current = false
      toastError(error)
      if (error instanceof ApiError) refuse({ ...fieldErrorsOf(error.body), ...options.fieldErrors?.(error) })
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  async function send(body: Body): Promise<{ saved: Result } | undefined> {
    try {
      return { saved: await options.save(body, ifMatch(version.current)) }
    } catch (error) {
      if (!options.conflict || !(error instanceof ApiError) || error.status !== 412) throw error
      return (await settle(options.conflict, error.text)) ? send(body) : undefined
    }
  }

  /** True when the person keeps their own version. */
  async function settle(conflict: Conflict<Values>, text: string) {
    const { askConflict } = await import('../dialog/conflict.tsx')
    const theirs = await conflict.load()
    const choice = await askConflict(text, conflict, form.getValues(), theirs.values)
    if (choice === 'neither') return false
    version.current = theirs.version
    if (choice === 'mine') return true
    startWith(theirs.values)
    return false
  }

  function restart(values: Values) {
    isSaved.current = false
    startWith(values)
    setRestarts((count) => count + 1)
  }

  function startWith(values: Values) {
    form.setInitialValues(values)
    form.setValues(values)
    form.resetDirty(values)
  }

  function refuse(errors: FieldErrors) {
    if (Object.keys(errors).length === 0) return
    form.setErrors(errors)
    setRefusals((count) => count + 1)
  }

  return {
    form,
    pending,
    submit: (isAnother = false) => void submit(isAnother),
    prepare: () => void options.schema().catch(() => {}),
    refusals,
    restarts,
    hasChanges,
  }
}
