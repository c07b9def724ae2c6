import { redirect } from '@tanstack/react-router'
import { readToken } from '../api/token.ts'

export function onlySignedIn() {
  if (readToken() === null) throw redirect({ to: '/login', replace: true })
}

export function onlyVisitors() {
  if (readToken() !== null) throw redirect({ to: '/', replace: true })
}
