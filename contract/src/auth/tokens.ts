import type { Endpoint } from '../endpoint.ts'
import type * as schema from './tokens.schema.ts'

export type { NewToken, Token, TokenCreate } from './tokens.schema.ts'

export const listTokens: Endpoint<typeof schema.listTokens> = {
  method: 'GET',
  url: '/api/v1/account/tokens/',
  config: { access: 'account' },
}

export const createToken: Endpoint<typeof schema.createToken> = {
  method: 'POST',
  url: '/api/v1/account/tokens/',
  config: { access: 'account', needs_recent_sign_in: true, is_expensive: true },
}

export const deleteToken: Endpoint<typeof schema.deleteToken> = {
  method: 'DELETE',
  url: '/api/v1/account/tokens/:id',
  config: { access: 'account' },
}
