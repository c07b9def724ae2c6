import { NotYet } from '../../ui/not-yet.tsx'

export function StoriesImportPage() {
  return <NotYet title="Stories import" />
}
