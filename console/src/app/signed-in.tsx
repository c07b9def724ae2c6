import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { shouldRetry } from '../api/retry.ts'
import { Notices } from '../features/account/shared/notices.tsx'
import { SignInAgain } from '../features/auth/sign-in-again.tsx'
import { UserMenu } from '../features/auth/user-menu.tsx'
import { Dialogs } from '../ui/dialog/dialogs.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'
import { AllowedPage } from './allowed-page.tsx'
import { Layout } from './layout.tsx'
import { SchemeMenu } from './scheme-menu.tsx'
import { BurgerMenu, SideMenu } from './side-menu.tsx'
import { WatchJobs } from './watch-jobs.tsx'

function createQueryClient() {
  return new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: shouldRetry } } })
}

const account = (
  <>
    <SchemeMenu />
    <UserMenu />
  </>
)

/** Everything that only signed-in users need; visitors do not load it. */
export function SignedIn() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Layout burger={<BurgerMenu />} menu={<SideMenu />} account={account} notices={<Notices />}>
        <AllowedPage />
      </Layout>
      <Toasts />
      <SignInAgain />
      <WatchJobs />
      <Dialogs />
    </QueryClientProvider>
  )
}
