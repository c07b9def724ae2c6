import '@mantine/core/styles/Input.layer.css'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { WORKSPACES_AT_ONCE } from '@watchdesk/contract/limits'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { useState } from 'react'
import dialogClasses from '../../ui/dialog/dialog.module.css'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { workspacesQuery } from '../workspaces/queries.ts'
import classes from './attach-dialog.module.css'

type Chosen = { id: number; name: string }

const SHOWN = 50
const PAUSE_MS = 200

/** Asks which workspaces will show the dashboard. */
export function askWorkspaces(dashboard: Chosen): Promise<Chosen[] | undefined> {
  return openDialog<Chosen[] | undefined>(
    `Attach ${dashboard.name} to workspaces`,
    undefined,
    (answer) => <AttachForm dashboardId={dashboard.id} answer={answer} />,
    'lg',
  )
}

type AttachFormProps = { dashboardId: number; answer: (chosen: Chosen[] | undefined) => void }

function AttachForm({ dashboardId, answer }: AttachFormProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const [chosen, setChosen] = useState<Chosen[]>([])
  const { data, error, refetch } = useQuery({
    ...workspacesQuery({ page: 1, page_size: SHOWN, sort: 'name', search: search || undefined }),
    placeholderData: keepPreviousData,
  })

  function toggle({ id, name }: Chosen) {
    const isChosen = chosen.some((one) => one.id === id)
    setChosen(isChosen ? chosen.filter((one) => one.id !== id) : [...chosen, { id, name }])
  }

  return (
    <form
      className={dialogClasses.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.length > 0) answer(chosen)
      }}
    >
      <TextInput
        type="search"
        label="Search workspaces"
        maxLength={200}
        leftSection={<Icon name="search" />}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // Enter here is part of the search.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {chosen.length > 0 && (
        <ul className={classes.chips} aria-label="Chosen workspaces">
          {chosen.map((workspace) => (
            <li key={workspace.id} className={classes.chip}>
              <span className={classes.name}>{workspace.name}</span>
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove ${workspace.name}`}
                onClick={() => toggle(workspace)}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.found}>
        {data ? (
          <Choices
            workspaces={data.objects}
            dashboardId={dashboardId}
            isChosen={(id) => chosen.some((one) => one.id === id)}
            onToggle={toggle}
          />
        ) : error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : (
          <Loading label="Loading workspaces" />
        )}
      </div>
      <p className={classes.note} role="status">
        {data && foundText(data.objects.length, data.total)}
      </p>
      <div className={dialogClasses.actions}>
        <Button variant="default" onClick={() => answer(undefined)}>
          Cancel
        </Button>
        <Button type="submit" disabled={chosen.length === 0 || chosen.length > WORKSPACES_AT_ONCE}>
          {chosen.length === 0 ? 'Attach' : `Attach to ${formatCount(chosen.length, 'workspace')}`}
        </Button>
      </div>
    </form>
  )
}

function foundText(shown: number, total: number) {
  if (total === 0) return 'No workspaces match.'
  if (total > shown) return `${formatNumber(shown)} of ${formatNumber(total)} workspaces. Search to find the others.`
  return formatCount(total, 'workspace')
}

type ChoicesProps = {
  workspaces: Workspace[]
  dashboardId: number
  isChosen: (id: number) => boolean
  onToggle: (workspace: Chosen) => void
}

function Choices({ workspaces, dashboardId, isChosen, onToggle }: ChoicesProps) {
  return (
    <ul className={classes.list} aria-label="Workspaces">
      {workspaces.map((workspace) => {
        const isAttached = workspace.config.powerbi_dashboards.includes(dashboardId)
        return (
          <li key={workspace.id}>
            <label className={classes.choice} data-disabled={isAttached || undefined}>
              <input
                type="checkbox"
                checked={isAttached || isChosen(workspace.id)}
                disabled={isAttached}
                onChange={() => onToggle(workspace)}
              />
              <span className={classes.name}>{workspace.name}</span>
              <span className={classes.more}>{isAttached ? 'Attached already' : workspace.description}</span>
            </label>
          </li>
        )
      })}
    </ul>
  )
}
