import { type UseFormReturnType, useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { ifMatch, type Version } from '../../api/if-match.ts'
import { confirm } from '../dialog/confirm.tsx'
import type { Conflict } from '../dialog/conflict.tsx'
import { hideToasts, toastError } from '../feedback/toast.tsx'
import { useLeaveGuard } from '../navigation/use-leave-guard.ts'
import { type FieldErrors, fieldErrorsOf, loadSchema, type Schema, validate } from './field-errors.ts'

type Options<Values extends object, Body, Result> = {
  initial: Values
  /** Loads the contract's schema of the body: `() => import('@watchdesk/contract/users.schema').then((schema) => schema.UserCreate)`. */
  schema: () => Promise<Schema<Body>>
  /** The request body for the values; its fields have the names of the form's fields. */
  body: (values: Values) => unknown
  save: (body: Body, headers: { 'if-match'?: string }) => Promise<Result>
  /** Where to navigate after saving. The guard for unsaved changes is off by then. */
  saved: (result: Result, sent: Sent<Values>) => unknown
  /** Field errors of failures other than a 422. */
  fieldErrors?: (error: ApiError) => FieldErrors
  /** The values after "add another", if the form has that. */
  another?: (values: Values) => Values
  /** For an edit: the version of the initial values, and how to resolve a conflict. */
  version?: Version
  conflict?: Conflict<Values>
}

/** The saved values, and whether the form stays open for another entry. */
type Sent<Values> = { values: Values; isAnother: boolean }

export type Save<Values> = {
  form: UseFormReturnType<Values>
  pending: boolean
  submit: (isAnother?: boolean) => void
  /** Loads the schema while the user still types. */
  prepare: () => void
  /** The number of submits rejected by validation. */
  refusals: number
  /** The number of times that the form was reset. */
  restarts: number
  hasChanges: boolean
}

/** Saves a form: validates, sends once, shows errors, resolves conflicts and guards unsaved changes. */
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
    // State alone would let through a second event before the next render.
    if (sending.current) return
    sending.current = true
    setPending(true)
    hideToasts()
    try {
      const values = form.getValues()
      const checked = await validate(await loadSchema(options.schema), options.body(values))
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

  /** True if the user keeps their own version. */
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
