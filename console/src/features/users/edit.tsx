import { Page } from '../../ui/page.tsx'

export function EditUserPage() {
  return <Page title="Edit User" />
}
