import { Page } from '../../ui/page.tsx'

export function CreateWorkspacePage() {
  return <Page title="Create workspace" />
}
