import { Page } from '../../ui/page.tsx'

export function EditWorkspacePage() {
  return <Page title="Edit workspace" />
}
