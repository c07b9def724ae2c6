import { Page } from '../../ui/page.tsx'

export function CreateUserPage() {
  return <Page title="Create user" />
}
