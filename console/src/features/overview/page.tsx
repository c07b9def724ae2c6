import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Attention } from './attention.tsx'
import { Charts } from './charts.tsx'
import { overviewQuery } from './queries.ts'
import { RANGES } from './search.ts'

export function OverviewPage() {
  const { data, error, refetch } = useQuery(overviewQuery)
  const { days = RANGES[0] } = useSearch({ from: '/signed-in/overview' })
  return (
    <Page title="Overview" summary="What needs you today, and how the product is used. Each number leads to its list">
      {data ? (
        <>
          <Attention overview={data} />
          <Charts days={data.days} range={days} />
        </>
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}
