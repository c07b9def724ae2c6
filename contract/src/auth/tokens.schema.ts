import { z } from 'zod'
import { Id, IdParams, Nothing, name, objectsOf, resultOf, string, stringOrNull, timestamp } from '../fields.schema.ts'
import { TOKEN_MAX_DAYS } from '../limits.ts'

export const Token = z
  .object({
    id: Id,
    name: z.string().meta({ examples: ['Airflow'] }),
    is_read_only: z.boolean().describe('Whether it can only read'),
    created_at: timestamp('When it was created'),
    expires_at: timestamp('When it expires'),
    last_used_at: timestamp('When it was last used').nullable(),
    last_ip: stringOrNull('Address of the last use', '203.0.113.7'),
  })
  .describe('The token')

export const TokenCreate = z.strictObject({
  name: name('Name is required!').meta({ description: 'What it is for', examples: ['Airflow'] }),
  days: z
    .int()
    .min(1)
    .max(TOKEN_MAX_DAYS, `At most ${TOKEN_MAX_DAYS} days.`)
    .meta({ description: 'How many days it is valid', examples: [90] }),
  is_read_only: z.boolean().describe('Whether it can only read'),
})

export const NewToken = Token.extend({
  token: string('Send it as a bearer token. It is shown only this once', 'wdk_…'),
}).describe('The new token')

export type Token = z.infer<typeof Token>
export type TokenCreate = z.infer<typeof TokenCreate>
export type NewToken = z.infer<typeof NewToken>

export const listTokens = resultOf('List your tokens', objectsOf(Token, 'The tokens, newest first', 'The tokens'))

export const createToken = { summary: 'Create a token', body: TokenCreate, response: { 201: NewToken } }

export const deleteToken = { summary: 'Delete a token', params: IdParams, response: { 204: Nothing } }
