import { Page } from '../../ui/page.tsx'

export function WorkspacesPage() {
  return <Page title="Workspaces" />
}
