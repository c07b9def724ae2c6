import { Page } from '../../ui/page.tsx'

export function DashboardsPage() {
  return <Page title="PowerBI Dashboards" />
}
