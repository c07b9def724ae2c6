import type { Endpoint } from '../endpoint.ts'
import type * as schema from './links.schema.ts'

export type { OpenedLink } from './links.schema.ts'

/** Links that let a user choose a password: for the first time, or because they forgot it. */
export const LINK_KINDS = ['invitation', 'password'] as const

export const openLink: Endpoint<typeof schema.openLink> = {
  method: 'POST',
  url: '/api/v1/login/link',
  config: { access: 'public', is_read: true },
}

export const choosePassword: Endpoint<typeof schema.choosePassword> = {
  method: 'POST',
  url: '/api/v1/login/link/password',
  config: { access: 'public' },
}

export const forgotPassword: Endpoint<typeof schema.forgotPassword> = {
  method: 'POST',
  url: '/api/v1/login/forgotten_password',
  config: { access: 'public' },
}

export const signInWithLink: Endpoint<typeof schema.signInWithLink> = {
  method: 'POST',
  url: '/api/v1/login/link/session',
  config: { access: 'public' },
}
