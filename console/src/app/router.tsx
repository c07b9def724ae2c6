import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { listAuditEvents } from '@watchdesk/contract/activity'
import { listBin } from '@watchdesk/contract/bin'
import { dashboardList, dashboardWorkspaceList } from '@watchdesk/contract/dashboards'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { listOperations } from '@watchdesk/contract/operations/operations'
import { getOverview } from '@watchdesk/contract/overview'
import { sheetList } from '@watchdesk/contract/sheets'
import { listSources } from '@watchdesk/contract/sources'
import { listUsers } from '@watchdesk/contract/users'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { activityAddress } from '../features/activity/address.ts'
import { historySearch } from '../features/activity/shared/history-search.ts'
import { takeLinkToken } from '../features/auth/link-token.ts'
import { ssoSearch } from '../features/auth/search.ts'
import { runSearch } from '../features/narratives-vectorization/search.ts'
import { overviewSearch } from '../features/overview/search.ts'
import { outcomeSearch } from '../features/sheets/search.ts'
import { findSearch, sourceSearch } from '../features/sources/search.ts'
import { workspaceSearch } from '../features/users/search.ts'
import type { IconName } from '../ui/display/icon.tsx'
import { Failed } from '../ui/feedback/failed.tsx'
import { Loading } from '../ui/feedback/loading.tsx'
import { listSearch } from '../ui/list/list-search.ts'
import { onlyIds, onlySignedIn, onlyVisitors } from './guard.ts'
import classes from './layout.module.css'
import { Layout } from './layout.tsx'
import { lazyPage, reloadIfReachable } from './lazy-page.ts'

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
  validateSearch: ssoSearch,
  component: lazyPage(() => import('../features/auth/login.tsx'), 'LoginPage'),
})
const forgotPassword = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot_password',
  component: lazyPage(() => import('../features/auth/forgot-password.tsx'), 'ForgotPasswordPage'),
})

/**
 * For everyone who has a link, signed in or not: an administrator may open an invitation in the browser they work in.
 * It does not change who is signed in there; a link to sign in asks first.
 */
const link = createRoute({
  getParentRoute: () => root,
  id: 'link',
  beforeLoad: takeLinkToken,
  component: visitor.options.component,
})
const setPassword = createRoute({
  getParentRoute: () => link,
  path: '/set_password',
  component: lazyPage(() => import('../features/auth/set-password.tsx'), 'SetPasswordPage'),
})
const signInLink = createRoute({
  getParentRoute: () => link,
  path: '/sign_in',
  component: lazyPage(() => import('../features/auth/sign-in-link.tsx'), 'SignInLinkPage'),
})

const notFound = createRoute({
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
  component: lazyPage(() => import('./signed-in.tsx'), 'SignedIn'),
})

const within = () => signedIn

const home = createRoute({
  getParentRoute: within,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/users', replace: true })
  },
})

const users = createRoute({
  getParentRoute: within,
  path: '/users',
  staticData: { isForWorkspaceAdmins: true, menu: { label: 'Users', icon: 'users' } },
  validateSearch: listSearch(listUsers.list),
  component: lazyPage(() => import('../features/users/list.tsx'), 'UsersPage'),
})
const createUser = createRoute({
  getParentRoute: within,
  path: '/users/create',
  staticData: { isForWorkspaceAdmins: true },
  validateSearch: workspaceSearch,
  component: lazyPage(() => import('../features/users/create.tsx'), 'CreateUserPage'),
})
const usersImport = createRoute({
  getParentRoute: within,
  path: '/users/import',
  staticData: { isForWorkspaceAdmins: true },
  validateSearch: workspaceSearch,
  component: lazyPage(() => import('../features/users-import/page.tsx'), 'UsersImportPage'),
})
const editUser = createRoute({
  getParentRoute: within,
  path: '/users/$id/edit',
  staticData: { isForWorkspaceAdmins: true },
  beforeLoad: onlyIds,
  validateSearch: historySearch,
  component: lazyPage(() => import('../features/users/edit.tsx'), 'EditUserPage'),
})

const workspaces = createRoute({
  getParentRoute: within,
  path: '/workspaces',
  staticData: { isForWorkspaceAdmins: true, menu: { label: 'Workspaces', icon: 'building' } },
  validateSearch: listSearch(listWorkspaces.list),
  component: lazyPage(() => import('../features/workspaces/list.tsx'), 'WorkspacesPage'),
})
const createWorkspace = createRoute({
  getParentRoute: within,
  path: '/workspaces/create',
  component: lazyPage(() => import('../features/workspaces/create.tsx'), 'CreateWorkspacePage'),
})
const workspaceUsers = listSearch(listUsers.list)
const viewWorkspace = createRoute({
  getParentRoute: within,
  path: '/workspaces/$id',
  staticData: { isForWorkspaceAdmins: true },
  beforeLoad: onlyIds,
  validateSearch: (given: Record<string, unknown>) => ({ ...workspaceUsers(given), ...historySearch(given) }),
  component: lazyPage(() => import('../features/workspaces/view.tsx'), 'WorkspacePage'),
})
const editWorkspace = createRoute({
  getParentRoute: within,
  path: '/workspaces/$id/edit',
  beforeLoad: onlyIds,
  validateSearch: historySearch,
  component: lazyPage(() => import('../features/workspaces/edit.tsx'), 'EditWorkspacePage'),
})

const sourceManagement = createRoute({
  getParentRoute: within,
  path: '/source_management',
  staticData: { menu: { label: 'Source management', icon: 'swap' } },
  component: lazyPage(() => import('../features/source-management/page.tsx'), 'SourceManagementPage'),
})
const sourceImport = createRoute({
  getParentRoute: within,
  path: '/source_import',
  staticData: { menu: { label: 'Source import', icon: 'file-in' } },
  component: lazyPage(() => import('../features/source-import/page.tsx'), 'SourceImportPage'),
})
const storiesImport = createRoute({
  getParentRoute: within,
  path: '/stories_import',
  staticData: { menu: { label: 'Stories import', icon: 'book' } },
  component: lazyPage(() => import('../features/stories-import/page.tsx'), 'StoriesImportPage'),
})
const narrativesVectorization = createRoute({
  getParentRoute: within,
  path: '/narratives_vectorization',
  staticData: { menu: { label: 'Narratives vectorization', icon: 'vector' } },
  validateSearch: runSearch,
  component: lazyPage(() => import('../features/narratives-vectorization/page.tsx'), 'NarrativesVectorizationPage'),
})
const websiteConfig = createRoute({
  getParentRoute: within,
  path: '/website_config',
  staticData: { menu: { label: 'Website config', icon: 'gear' } },
  validateSearch: historySearch,
  component: lazyPage(() => import('../features/website-config/page.tsx'), 'WebsiteConfigPage'),
})

const dashboards = createRoute({
  getParentRoute: within,
  path: '/dashboards',
  staticData: { menu: { label: 'PowerBI Dashboards', icon: 'chart' } },
  validateSearch: listSearch(dashboardList),
  component: lazyPage(() => import('../features/dashboards/list.tsx'), 'DashboardsPage'),
})
const createDashboard = createRoute({
  getParentRoute: within,
  path: '/dashboards/create',
  component: lazyPage(() => import('../features/dashboards/create.tsx'), 'CreateDashboardPage'),
})
const workspacesOfDashboard = listSearch(dashboardWorkspaceList)
const editDashboard = createRoute({
  getParentRoute: within,
  path: '/dashboards/$id/edit',
  beforeLoad: onlyIds,
  validateSearch: (given: Record<string, unknown>) => ({ ...workspacesOfDashboard(given), ...historySearch(given) }),
  component: lazyPage(() => import('../features/dashboards/edit.tsx'), 'EditDashboardPage'),
})

const account = createRoute({
  getParentRoute: within,
  path: '/account',
  staticData: { isForWorkspaceAdmins: true },
  component: lazyPage(() => import('../features/account/page.tsx'), 'AccountPage'),
})

const overview = createRoute({
  getParentRoute: within,
  path: '/overview',
  staticData: { menu: { label: 'Overview', icon: 'gauge', group: 'Records', probe: getOverview } },
  validateSearch: overviewSearch,
  component: lazyPage(() => import('../features/overview/page.tsx'), 'OverviewPage'),
})

const sources = createRoute({
  getParentRoute: within,
  path: '/sources',
  staticData: { menu: { label: 'Sources', icon: 'rss', group: 'Records', probe: listSources } },
  validateSearch: listSearch(listSources.list),
  component: lazyPage(() => import('../features/sources/list.tsx'), 'SourcesPage'),
})
const findSources = createRoute({
  getParentRoute: within,
  path: '/sources/find',
  validateSearch: findSearch,
  component: lazyPage(() => import('../features/sources/find/page.tsx'), 'FindSourcesPage'),
})
const viewSource = createRoute({
  getParentRoute: within,
  path: '/sources/$id',
  validateSearch: sourceSearch,
  component: lazyPage(() => import('../features/sources/view.tsx'), 'SourcePage'),
})

const imports = createRoute({
  getParentRoute: within,
  path: '/imports',
  staticData: { menu: { label: 'Imports', icon: 'list', group: 'Records', probe: listOperations } },
  validateSearch: listSearch(listOperations.list),
  component: lazyPage(() => import('../features/operations/list.tsx'), 'OperationsPage'),
})
const viewImport = createRoute({
  getParentRoute: within,
  path: '/imports/$id',
  validateSearch: outcomeSearch,
  component: lazyPage(() => import('../features/operations/page.tsx'), 'OperationPage'),
})

const activity = createRoute({
  getParentRoute: within,
  path: '/activity',
  staticData: {
    isForWorkspaceAdmins: true,
    menu: { label: 'Activity', icon: 'history', group: 'Records', probe: listAuditEvents },
  },
  validateSearch: activityAddress,
  component: lazyPage(() => import('../features/activity/page.tsx'), 'ActivityPage'),
})

const sheets = createRoute({
  getParentRoute: within,
  path: '/sheets',
  validateSearch: listSearch(sheetList),
  component: lazyPage(() => import('../features/sheets/list.tsx'), 'SheetsPage'),
})
const sheet = createRoute({
  getParentRoute: within,
  path: '/sheets/$id',
  validateSearch: outcomeSearch,
  component: lazyPage(() => import('../features/sheets/page.tsx'), 'SheetPage'),
})

const bin = createRoute({
  getParentRoute: within,
  path: '/bin',
  staticData: { isForWorkspaceAdmins: true, menu: { label: 'Bin', icon: 'trash', group: 'Records', probe: listBin } },
  validateSearch: listSearch(listBin.list),
  component: lazyPage(() => import('../features/bin/list.tsx'), 'BinPage'),
})

const routeTree = root.addChildren([
  visitor.addChildren([login, forgotPassword]),
  link.addChildren([setPassword, signInLink]),
  notFound,
  signedIn.addChildren([
    home,
    users,
    createUser,
    usersImport,
    editUser,
    workspaces,
    createWorkspace,
    viewWorkspace,
    editWorkspace,
    sourceManagement,
    sourceImport,
    storiesImport,
    narrativesVectorization,
    websiteConfig,
    dashboards,
    createDashboard,
    editDashboard,
    account,
    overview,
    sources,
    findSources,
    viewSource,
    imports,
    viewImport,
    activity,
    sheets,
    sheet,
    bin,
  ]),
])

/** For the address that the browser shows. */
export function createConsoleRouter() {
  return createRouter({
    routeTree,
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error }) => (
      <div className={classes.failed}>
        <Failed error={error} retry={() => void reloadIfReachable()} />
      </div>
    ),
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** All others are for super admins only. */
    isForWorkspaceAdmins?: boolean
    /**
     * The entry in the side menu, in the order of the routes. Grouped entries come last. An entry with a probe is hidden
     * if the backend does not have that call.
     */
    menu?: { label: string; icon: IconName; group?: string; probe?: Pick<Endpoint, 'method' | 'url' | 'config'> }
  }

  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
