import { z } from 'zod'
import { callOf, sendOf } from '../endpoint.schema.ts'
import * as field from '../fields.schema.ts'
import { NewPassword } from '../users.schema.ts'
import { Session } from './session.schema.ts'

const LinkToken = field.requiredText(100, 'The link is incomplete.').meta({ description: 'What follows # in the link' })

export const OpenedLink = field.object('What the link is for', {
  kind: field.about(z.enum(['invitation', 'password']), 'What the link is for', 'invitation'),
  first_name: z.string().meta({ examples: ['Olena'] }),
  email: field.string('Email address of the user', 'olena@example.com'),
  expires_at: field.timestamp('When the link expires'),
})

export type OpenedLink = z.infer<typeof OpenedLink>

export const openLink = callOf('Read what a link is for', z.strictObject({ token: LinkToken }), OpenedLink)

export const choosePassword = sendOf(
  'Choose a password with a link',
  z.strictObject({ token: LinkToken, password: NewPassword }),
)

export const forgotPassword = sendOf(
  'Send a link to choose another password, if an account has this email',
  z.strictObject({ email: field.email() }),
)

export const signInWithLink = callOf(
  'Sign in with a link that an operator created on the command line',
  z.strictObject({ token: LinkToken }),
  Session,
)
