import { useQueryClient } from '@tanstack/react-query'
import { listRuns } from '@watchdesk/contract/narratives-vectorization'
import { useRef, useState } from 'react'
import { useList } from '../../ui/list/use-list.ts'
import { AuditorNote, Changing } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import classes from './page.module.css'
import { runsQuery } from './queries.ts'
import { Runs } from './runs.tsx'
import { StatusCard, useStatus } from './status-card.tsx'
import { TriggerCard } from './trigger-card.tsx'

export function NarrativesVectorizationPage() {
  const client = useQueryClient()
  const statusCard = useRef<HTMLDivElement>(null)
  const [date, setDate] = useState('')
  const status = useStatus(date)
  const list = useList(listRuns, runsQuery)

  function fill(execution_date: string) {
    setDate(execution_date)
    status.action.changed('execution_date')
  }

  function triggered(execution_date: string) {
    fill(execution_date)
    void client.invalidateQueries({ queryKey: ['vectorization', 'runs'] })
  }

  function open(execution_date: string) {
    fill(execution_date)
    status.action.submit({ execution_date })
    statusCard.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Page
      title="Narratives vectorization"
      summary="Turn the stories of a narrative into vectors, so that similar stories can be found"
    >
      <div className={classes.cards}>
        <Changing instead={<AuditorNote />}>
          <TriggerCard onTriggered={triggered} />
        </Changing>
        <div ref={statusCard} className={classes.card}>
          <StatusCard date={date} onChange={setDate} status={status} runs={list.rows} />
        </div>
      </div>
      <Runs list={list} onOpen={open} />
    </Page>
  )
}
