import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Failed } from '../ui/failed.tsx'
import { Loading } from '../ui/loading.tsx'
import { onlySignedIn, onlyVisitors } from './guard.ts'
import { Layout } from './layout.tsx'

const root = createRootRoute()

const visitor = createRoute({
  getParentRoute: () => root,
  id: 'visitor',
  beforeLoad: onlyVisitors,
  component: () => (
    <Layout>
      <Outlet />
    </Layout>
  ),
})

const login = createRoute({
  getParentRoute: () => visitor,
  path: '/login',
  component: lazyRouteComponent(() => import('../features/session/login.tsx'), 'LoginPage'),
})

const anythingElse = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/login', replace: true })
  },
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: onlySignedIn,
  component: lazyRouteComponent(() => import('./signed-in.tsx'), 'SignedIn'),
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/users', replace: true })
  },
})

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  component: lazyRouteComponent(() => import('../features/users/list.tsx'), 'UsersPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([visitor.addChildren([login]), anythingElse, signedIn.addChildren([home, users])]),
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
