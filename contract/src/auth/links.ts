import { post } from '../endpoint.ts'
import type * as schema from './links.schema.ts'

export type * from './links.schema.ts'

export const openLink = post<typeof schema.openLink>('/login/link', 'public', { is_read: true })
export const choosePassword = post<typeof schema.choosePassword>('/login/link/password', 'public')
export const forgotPassword = post<typeof schema.forgotPassword>('/login/forgotten_password', 'public')
export const signInWithLink = post<typeof schema.signInWithLink>('/login/link/session', 'public')
