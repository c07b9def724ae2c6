import { redirect } from '@tanstack/react-router'
import { readToken } from '../api/token.ts'
import { isRecordId } from '../ui/navigation/record-id.ts'

export function onlySignedIn() {
  if (readToken() === null) throw redirect({ to: '/login', replace: true })
}

export function onlyVisitors() {
  if (readToken() !== null) throw redirect({ to: '/', replace: true })
}

/** An address with an invalid id, such as `/workspaces/2.5`, is handled like an unknown address. */
export function onlyIds({ params }: { params: { id: string } }) {
  if (!isRecordId(params.id)) throw redirect({ to: '/login', replace: true })
}
