import { z } from 'zod'
import { callOf, email, Nothing, requiredText, string, timestamp } from '../fields.schema.ts'
import { NewPassword } from '../users.schema.ts'
import { LINK_KINDS } from './links.ts'
import { Session } from './session.schema.ts'

const LinkToken = requiredText(100, 'The link is incomplete.').meta({ description: 'What follows # in the link' })

export const OpenedLink = z
  .object({
    kind: z.enum(LINK_KINDS).meta({ description: 'What the link is for', examples: ['invitation'] }),
    first_name: z.string().meta({ examples: ['Olena'] }),
    email: string('Email address of the user', 'olena@example.com'),
    expires_at: timestamp('When the link expires'),
  })
  .describe('What the link is for')

export type OpenedLink = z.infer<typeof OpenedLink>

export const openLink = callOf('Read what a link is for', z.strictObject({ token: LinkToken }), OpenedLink)

export const choosePassword = {
  summary: 'Choose a password with a link',
  body: z.strictObject({ token: LinkToken, password: NewPassword }),
  response: { 204: Nothing },
}

export const forgotPassword = {
  summary: 'Send a link to choose another password, if an account has this email',
  body: z.strictObject({ email: email() }),
  response: { 204: Nothing },
}

export const signInWithLink = callOf(
  'Sign in with a link that an operator created on the command line',
  z.strictObject({ token: LinkToken }),
  Session,
)
