import { NotYet } from '../../ui/not-yet.tsx'

export function SourceManagementPage() {
  return <NotYet title="Source management" />
}
