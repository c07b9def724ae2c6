import { del, get, post } from '../endpoint.ts'
import type * as schema from './tokens.schema.ts'

export type * from './tokens.schema.ts'

export const listTokens = get<typeof schema.listTokens>('/api/v1/account/tokens/', 'account')

export const createToken = post<typeof schema.createToken>('/api/v1/account/tokens/', 'account', {
  needs_recent_sign_in: true,
  is_expensive: true,
})

export const deleteToken = del<typeof schema.deleteToken>('/api/v1/account/tokens/:id', 'account')
