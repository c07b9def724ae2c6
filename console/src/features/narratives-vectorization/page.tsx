import { NotYet } from '../../ui/not-yet.tsx'

export function NarrativesVectorizationPage() {
  return <NotYet title="Narratives vectorization" />
}
