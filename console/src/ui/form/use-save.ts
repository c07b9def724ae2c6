import { type UseFormReturnType, useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { ifMatch, type Version } from '../../api/if-match.ts'
import { confirm } from '../dialog/confirm.tsx'
import { hideToasts, toastError } from '../feedback/toast.tsx'
import { useLeaveGuard } from '../navigation/use-leave-guard.ts'
import type { Conflict } from './conflict.ts'
import { type FieldErrors, fieldErrorsOf, loadSchema, type Schema, validate } from './field-errors.ts'

type Options<Values extends object, Body, Result> = {
  initial: Values
  /** Loads the contract's schema of the body: `() => import('@watchdesk/contract/users.schema').then((schema) => schema.UserCreate)`. */
  schema: () => Promise<Schema<Body>>
  /** The request body for the values; its fields have the names of the form's fields. */
  body: (values: Values) => unknown
  /** Asks before a save that has consequences; false if the user cancels. */
  confirm?: (body: Body) => Promise<boolean>
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

/**
 * The saved values, whether the form stays open for another entry, and a note to show about what someone else has saved
 * meanwhile.
 */
type Sent<Values> = { values: Values; isAnother: boolean; note: string }

/** How often to merge with newer versions. More would mean that a program edits the record all the time. */
const MERGES = 10

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
  const notes = useRef(new Set<string>())
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
      const result = await send(await loadSchema(options.schema))
      if (result === undefined) return
      const values = form.getValues()
      isSaved.current = true
      await options.saved(result.saved, { values, isAnother, note: [...notes.current].join('\n') })
      notes.current.clear()
      if (isAnother && options.another) restart(options.another(values))
    } catch (error) {
      isSaved.current = false
      await explain(error)
      if (error instanceof ApiError) refuse({ ...fieldErrorsOf(error.body), ...options.fieldErrors?.(error) })
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  /** Sends the values, merged with newer versions if there are any. Undefined if they are invalid or the user cancels. */
  async function send(schema: Schema<Body>): Promise<{ saved: Result } | undefined> {
    for (let merges = 0; ; merges++) {
      const checked = await validate(schema, options.body(form.getValues()))
      if (checked.errors) {
        refuse(checked.errors)
        return
      }
      form.clearErrors()
      if (merges === 0 && options.confirm && !(await options.confirm(checked.body))) return
      try {
        return { saved: await options.save(checked.body, ifMatch(version.current)) }
      } catch (error) {
        const isConflict = error instanceof ApiError && error.status === 412
        if (!isConflict || !options.conflict || merges === MERGES) throw error
        if (!(await settle(options.conflict, error, schema))) return
      }
    }
  }

  /** Continues with the merged values, as changes of the newer version. False if the user cancels. */
  async function settle(conflict: Conflict<Values>, error: ApiError, schema: Schema<Body>) {
    const { resolveConflict } = await import('./resolve-conflict.ts')
    const resolved = await resolveConflict(conflict, {
      ...{ error, schema, body: options.body },
      base: { values: form.getInitialValues(), version: version.current },
      mine: form.getValues(),
    })
    if (!resolved) return false
    version.current = resolved.theirs.version
    startWith(resolved.theirs.values)
    form.setValues(resolved.values)
    if (resolved.note !== '') notes.current.add(resolved.note)
    return true
  }

  /** A record that is missing now has probably been deleted meanwhile. */
  async function explain(error: unknown) {
    const isMissing = error instanceof ApiError && error.status === 404
    const resolver = isMissing && options.conflict && (await import('./resolve-conflict.ts').catch(() => undefined))
    if (isMissing && options.conflict && resolver) await resolver.explainMissing(options.conflict, error)
    else toastError(error)
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
