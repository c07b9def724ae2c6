import { TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { CONTENT_TYPES, PLATFORMS } from '@watchdesk/contract/enums'
import { MAX_ID } from '@watchdesk/contract/limits'
import { useState } from 'react'
import { useIdempotencyKey } from '../../api/idempotency-key.ts'
import { formatNumber } from '../../ui/display/format.ts'
import { ActionForm } from '../../ui/form/action-form.tsx'
import { MultipleSelect } from '../../ui/form/multiple-select.tsx'
import { useAction } from '../../ui/form/use-action.ts'
import { CopyDate } from './copy-date.tsx'
import classes from './page.module.css'
import { vectorizeNarrative } from './queries.ts'

type Triggered = { narrative_id: number; execution_date: string }

export function TriggerCard({ onTriggered }: { onTriggered: (execution_date: string) => void }) {
  const search = useSearch({ from: '/signed-in/narratives_vectorization' })
  const [narrative, setNarrative] = useState(String(search.narrative_id ?? ''))
  const [platforms, setPlatforms] = useState<string[]>([])
  const [contentTypes, setContentTypes] = useState<string[]>([])
  const [triggered, setTriggered] = useState<Triggered>()
  const { keyOf, renewKey } = useIdempotencyKey()

  const action = useAction({
    body: () => ({ narrative_id: parseNumber(narrative), platforms, content_types: contentTypes }),
    schema: () => import('@watchdesk/contract/narratives-vectorization.schema').then((schema) => schema.Vectorization),
    send: async (body) => {
      setTriggered(undefined)
      const { execution_date } = await vectorizeNarrative(body, keyOf(JSON.stringify(body)))
      renewKey()
      setTriggered({ narrative_id: body.narrative_id, execution_date })
      onTriggered(execution_date)
    },
  })

  return (
    <ActionForm
      action={action}
      title="Trigger vectorization"
      button="Trigger vectorization"
      result={triggered && <Started {...triggered} />}
    >
      <TextInput
        label="Narrative id"
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        data-path="narrative_id"
        value={narrative}
        onChange={(event) => {
          setNarrative(event.currentTarget.value)
          action.changed('narrative_id')
        }}
        error={readableError(action.errors.narrative_id)}
      />
      <MultipleSelect
        label="Platforms"
        none="All platforms"
        data={PLATFORMS.map(choice)}
        value={platforms}
        onChange={(chosen) => setPlatforms(chosen.map(String))}
      />
      <MultipleSelect
        label="Content types"
        none="All content types"
        data={CONTENT_TYPES.map(choice)}
        value={contentTypes}
        onChange={(chosen) => setContentTypes(chosen.map(String))}
      />
    </ActionForm>
  )
}

function choice(name: string) {
  return { value: name, label: name }
}

function Started({ narrative_id, execution_date }: Triggered) {
  return (
    <div className={classes.started} role="status">
      <p className={classes.success}>Vectorization of narrative {narrative_id} was triggered.</p>
      <CopyDate date={execution_date} />
    </div>
  )
}

/** Undefined for an empty text, NaN for anything but digits. */
function parseNumber(text: string) {
  const given = text.trim()
  if (given === '') return undefined
  return /^\d+$/.test(given) ? Number(given) : Number.NaN
}

/** The schema's own message is about types. */
function readableError(error: string | undefined) {
  if (!error || error.endsWith('is required')) return error
  return `Narrative id must be a whole number from 1 to ${formatNumber(MAX_ID)}.`
}
