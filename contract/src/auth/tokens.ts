import { del, get, post } from '../endpoint.ts'
import type * as schema from './tokens.schema.ts'

export type * from './tokens.schema.ts'

export const listTokens = get<typeof schema.listTokens>('/account/tokens/', 'account')

export const createToken = post<typeof schema.createToken>('/account/tokens/', 'account', {
  needs_recent_sign_in: true,
  is_expensive: true,
})

export const deleteToken = del<typeof schema.deleteToken>('/account/tokens/:id', 'account')
