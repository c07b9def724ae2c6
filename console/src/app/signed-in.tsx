import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { ApiError } from '../api/call.ts'
import { UserMenu } from '../features/session/user-menu.tsx'
import { Layout } from './layout.tsx'

const RETRIES = 2

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the server refuses once it refuses again; only a silent or ailing one is worth another try.
      retry: (failures, error) =>
        failures < RETRIES && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
})

/** Everything that only signed-in people need; visitors do not load it. */
export function SignedIn() {
  return (
    <QueryClientProvider client={queryClient}>
      <Layout account={<UserMenu />}>
        <Outlet />
      </Layout>
    </QueryClientProvider>
  )
}
