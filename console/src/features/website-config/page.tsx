import { Page } from '../../ui/page.tsx'

export function WebsiteConfigPage() {
  return <Page title="Website config" />
}
