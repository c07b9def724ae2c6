import { NotYet } from '../../ui/not-yet.tsx'

export function SourceImportPage() {
  return <NotYet title="Source import" />
}
