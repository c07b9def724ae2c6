import { redirect } from '@tanstack/react-router'
import { readToken } from '../api/token.ts'
import { readWaiting } from '../features/auth/sign-in-again-flag.ts'
import { isRecordId } from '../ui/navigation/record-id.ts'

export function onlySignedIn() {
  if (readToken() === null) throw redirect({ to: '/login', replace: true })
}

/** A signed-in user who confirms at the provider that it is them returns to the login page too. */
export function onlyVisitors({ location }: { location: { search: { sso?: unknown } } }) {
  const isConfirming = location.search.sso !== undefined && readWaiting() !== undefined
  if (readToken() !== null && !isConfirming) throw redirect({ to: '/', replace: true })
}

/** An address with an invalid id, such as `/workspaces/2.5`, is handled like an unknown address. */
export function onlyIds({ params }: { params: { id: string } }) {
  if (!isRecordId(params.id)) throw redirect({ to: '/login', replace: true })
}
