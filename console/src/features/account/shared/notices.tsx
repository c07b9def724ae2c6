import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { currentUserQuery } from '../../auth/queries.ts'

/** Nothing depends on it, so it must not fail a page if it cannot be loaded. */
const Banner = lazy(() =>
  import('../notices-banner.tsx').then(
    (module) => ({ default: module.NoticesBanner }),
    () => ({ default: () => <></> }),
  ),
)

/** What others changed about how the user signs in, on every page. Most users have no notices. */
export function Notices() {
  const { data: me } = useQuery(currentUserQuery)
  if (!me?.notices?.length) return null
  return (
    <Suspense>
      <Banner notices={me.notices} />
    </Suspense>
  )
}
