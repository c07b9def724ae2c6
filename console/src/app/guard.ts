import { redirect } from '@tanstack/react-router'
import { MAX_ID } from '@watchdesk/contract/limits'
import { readToken } from '../api/token.ts'

export function onlySignedIn() {
  if (readToken() === null) throw redirect({ to: '/login', replace: true })
}

export function onlyVisitors() {
  if (readToken() !== null) throw redirect({ to: '/', replace: true })
}

/** An address with an invalid id, such as `/workspaces/2.5`, is handled like an unknown address. */
export function onlyIds({ params }: { params: { id: string } }) {
  if (!/^[1-9]\d*$/.test(params.id) || Number(params.id) > MAX_ID) throw redirect({ to: '/login', replace: true })
}
