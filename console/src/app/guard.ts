import { redirect } from '@tanstack/react-router'
import { readToken } from '../api/token.ts'

export function isSignedIn() {
  return readToken() !== null
}

export function onlySignedIn() {
  if (!isSignedIn()) throw redirect({ to: '/login', replace: true })
}

export function onlyVisitors() {
  if (isSignedIn()) throw redirect({ to: '/', replace: true })
}
