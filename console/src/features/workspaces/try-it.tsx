import { Button, TextInput } from '@mantine/core'
import { MAX_ID, SIMILARITY } from '@watchdesk/contract/limits'
import type { SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { FailureText } from '../../ui/form/action-form.tsx'
import type { FieldErrors, Schema } from '../../ui/form/field-errors.ts'
import { useAction } from '../../ui/form/use-action.ts'
import { useRestoreFocus } from '../../ui/form/use-restore-focus.ts'
import { similarStories } from '../narratives-vectorization/queries.ts'
import classes from './try-it.module.css'
import { Nearest } from './try-it-nearest.tsx'

export type TryItProps = { threshold: number | null }

/** The text is sent in the URL, whose length is limited. */
const LONGEST = 2_000
const SHOWN = 20

/** Compares a text with the stories of a narrative. Moving the slider filters the results without another request. */
export function TryIt({ threshold }: TryItProps) {
  const [id, setId] = useState('')
  const [text, setText] = useState('')
  const [result, setResult] = useState<{ found: SimilarStories; asked: number | null }>()
  const panel = useRef<HTMLFieldSetElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    panel.current?.querySelector('input')?.focus()
    return () => controller.abort()
  }, [])

  const action = useAction({
    body: () => ({ id: id.trim(), text: text.trim() }),
    schema: async () => question,
    send: async (asked) => {
      setResult(undefined)
      const query = { text: asked.text, limit: SHOWN, ...(isExact(threshold) && { threshold }) }
      const found = await similarStories(asked.id, query, leaving.current.signal).catch(rethrowUnsupported)
      setResult({ found, asked: threshold })
    },
  })
  const { pending, errors, refusals, failure } = action

  useEffect(() => {
    if (refusals > 0) panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  useRestoreFocus(pending, button)

  // The panel is inside the workspace form, which Enter would submit.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    action.submit()
  }

  return (
    <fieldset ref={panel} className={classes.panel} aria-label="Try the threshold" onKeyDown={onKeyDown}>
      <p className={classes.about}>
        Compare a text with the vectorized stories of a narrative. Move the slider to see which stories pass.
      </p>
      <div className={classes.question}>
        <TextInput
          className={classes.id}
          label="Narrative id"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={id}
          onChange={(event) => {
            setId(event.currentTarget.value)
            action.changed('id')
          }}
          error={errors.id}
        />
        <TextInput
          className={classes.text}
          label="Text"
          autoComplete="off"
          maxLength={LONGEST}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            action.changed('text')
          }}
          error={errors.text}
        />
        <div className={classes.action}>
          {pending ? (
            <Loading label="Comparing" />
          ) : (
            <Button ref={button} variant="default" onClick={() => action.submit()}>
              Compare
            </Button>
          )}
        </div>
      </div>
      {failure && <FailureText failure={failure} />}
      {result && <Nearest found={result.found} asked={result.asked} threshold={threshold} />}
    </fieldset>
  )
}

function isExact(threshold: number | null): threshold is number {
  return threshold !== null && threshold >= SIMILARITY.min && threshold <= SIMILARITY.max
}

/** A backend without this endpoint only responds 'Not Found'. */
function rethrowUnsupported(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 404 || error.text !== 'Not Found') throw error
  const detail = 'This server cannot compare texts with stories.'
  throw new ApiError(404, { detail }, detail, {})
}

type Question = { id: number; text: string }

/** The form validates together what the request sends separately as params and query. */
const question: Schema<Question> = {
  '~standard': {
    validate: (given) => {
      const { id, text } = given as { id: string; text: string }
      const errors: FieldErrors = {}
      if (id === '') errors.id = 'Narrative id is required'
      else if (!/^\d+$/.test(id) || Number(id) < 1 || Number(id) > MAX_ID) errors.id = 'Must be a whole number.'
      if (text === '') errors.text = 'Text is required'
      const issues = Object.entries(errors).map(([field, message]) => ({ message, path: [field] }))
      return issues.length > 0 ? { issues } : { value: { id: Number(id), text } }
    },
  },
}
