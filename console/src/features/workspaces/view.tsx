import { Page } from '../../ui/page.tsx'

export function WorkspacePage() {
  return <Page title="Workspace" />
}
