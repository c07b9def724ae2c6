import { Page } from '../../ui/page.tsx'

export function EditDashboardPage() {
  return <Page title="Edit dashboard" />
}
