import { z } from 'zod'
import { IdParams, Nothing, objectsOf, resultOf } from '../endpoint.schema.ts'
import * as field from '../fields.schema.ts'
import { TOKEN_MAX_DAYS } from '../limits.ts'

export const Token = field.object('The token', {
  id: field.Id,
  name: z.string().meta({ examples: ['Airflow'] }),
  is_read_only: z.boolean().describe('Whether it can only read'),
  created_at: field.timestamp('When it was created'),
  expires_at: field.timestamp('When it expires'),
  last_used_at: field.timestamp('When it was last used').nullable(),
  last_ip: field.stringOrNull('Address of the last use', '203.0.113.7'),
})

export const TokenCreate = z.strictObject({
  name: field.about(field.name('Name is required!'), 'What it is for', 'Airflow'),
  days: field.about(
    z.int().min(1).max(TOKEN_MAX_DAYS, `At most ${TOKEN_MAX_DAYS} days.`),
    'How many days it is valid',
    90,
  ),
  is_read_only: z.boolean().describe('Whether it can only read'),
})

export const NewToken = Token.extend({
  token: field.string('Send it as a bearer token. It is shown only this once', 'wdk_…'),
}).describe('The new token')

export type Token = z.infer<typeof Token>
export type TokenCreate = z.infer<typeof TokenCreate>
export type NewToken = z.infer<typeof NewToken>

export const listTokens = resultOf('List your tokens', objectsOf(Token, 'The tokens, newest first', 'The tokens'))

export const createToken = { summary: 'Create a token', body: TokenCreate, response: { 201: NewToken } }

export const deleteToken = { summary: 'Delete a token', params: IdParams, response: { 204: Nothing } }
