import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Run } from '@watchdesk/contract/narratives-vectorization'
import { useState } from 'react'
import { ActionForm, FailureText } from '../../ui/form/action-form.tsx'
import { failureOf, useAction } from '../../ui/form/use-action.ts'
import classes from './page.module.css'
import { getStatus, statusQuery } from './queries.ts'
import { Done } from './runs.tsx'
import { StatusTag } from './status-tag.tsx'

type Status = ReturnType<typeof useStatus>

/** Requests the status of a run and polls it while the run is in progress. */
export function useStatus(date: string) {
  const client = useQueryClient()
  const [shown, setShown] = useState<string>()
  const action = useAction({
    body: () => ({ execution_date: date.trim() }),
    schema: () => import('@watchdesk/contract/narratives-vectorization.schema').then((schema) => schema.StatusQuestion),
    send: async ({ execution_date }) => {
      setShown(undefined)
      // Not through the query: that would cancel a running poll of the same run and remove its status.
      const asked = await getStatus(execution_date)
      client.setQueryData(statusQuery(execution_date).queryKey, asked)
      setShown(execution_date)
    },
  })
  const { data, error } = useQuery({ ...statusQuery(shown ?? ''), enabled: shown !== undefined })
  return { action, shown: shown !== undefined && data ? { date: shown, status: data.status, error } : undefined }
}

type StatusCardProps = {
  date: string
  onChange: (date: string) => void
  status: Status
  /** More about the runs than their status, if the server provides it. */
  runs: Run[] | undefined
}

export function StatusCard({ date, onChange, status: { action, shown }, runs }: StatusCardProps) {
  return (
    <ActionForm
      action={action}
      title="Get vectorization status"
      button="Get status"
      result={shown && <Shown {...shown} run={runs?.find((run) => run.execution_date === shown.date)} />}
    >
      <TextInput
        label="Execution date"
        description="The execution date shown when the run was triggered"
        required
        autoComplete="off"
        spellCheck={false}
        placeholder="2026-11-15T09:30:00.000Z"
        data-path="execution_date"
        value={date}
        onChange={(event) => {
          onChange(event.currentTarget.value)
          action.changed('execution_date')
        }}
        error={action.errors.execution_date}
      />
    </ActionForm>
  )
}

function Shown({ date, status, error, run }: NonNullable<Status['shown']> & { run: Run | undefined }) {
  return (
    <>
      <div className={classes.status} role="status">
        <span className={classes.statusLabel}>Status</span>
        <StatusTag status={status} />
        <code className={classes.code}>{date}</code>
      </div>
      {run?.status === status && (
        <div className={classes.run}>
          <span className={classes.statusLabel}>Narrative {run.narrative_id}</span>
          <Done {...run} />
        </div>
      )}
      {error && <FailureText failure={failureOf(error)} />}
    </>
  )
}
