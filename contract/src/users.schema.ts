import { z } from 'zod'
import { actionOf, deleteOf, editOf, IdParams, Nothing, queryOf, readOf } from './endpoint.schema.ts'
import { LANGUAGES, USER_TYPES } from './enums.ts'
import * as field from './fields.schema.ts'
import { MAX_ID, PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from './limits.ts'
import type { FileQuery, ListQuery } from './list.ts'
import { fileQuery, filterIn, listOf } from './page.schema.ts'
import { userList } from './users.ts'

/** The fields that are stored in columns of the same names, and can be written. */
export const UserFields = z.strictObject({
  first_name: field.name('First name is required!').meta({ examples: ['Olena'] }),
  last_name: field.name('Last name is required!').meta({ examples: ['Kovalenko'] }),
  email: field.email(),
  workspace_id: field.int('Id of the workspace of the user', 5, { min: 1, max: MAX_ID }, 'Workspace is required!'),
  is_admin: z.boolean().describe('Whether the user manages the users of the workspace'),
  is_super_admin: z.boolean().describe('Whether the user has full access to all workspaces and settings'),
  is_auditor: z.boolean().describe('Whether the user sees everything that super admins see, and can change nothing'),
  type: z.enum(USER_TYPES).meta({ examples: ['MODERATOR'] }),
  language: field.about(z.enum(LANGUAGES), 'An empty string means: detect automatically', 'EN'),
})

/** The minimum password length is a server setting. */
export const Password = field
  .requiredText(PASSWORD_MAX_BYTES, 'Password is required!')
  .refine(
    (value) => new TextEncoder().encode(value).length <= PASSWORD_MAX_BYTES,
    `At most ${PASSWORD_MAX_BYTES.toLocaleString('en')} bytes.`,
  )
export const NewPassword = Password.meta({ minLength: PASSWORD_MIN_LENGTH })
const CurrentPassword = Password.describe(
  'Your current password. To change your own email or password more than 15 minutes after you signed in, send it or sign in again. Leave it out for other users',
)

export const User = field.object('The user', {
  id: field.Id,
  ...UserFields.shape,
  workspace: z.object({ name: z.string().meta({ examples: ['Atlas Media'] }) }),
  version: field.Version,
})
/** In a body, null and the empty string both mean automatic. */
const written = UserFields.extend({
  language: UserFields.shape.language.nullable().transform((language) => language ?? ''),
})
export const UserCreate = written
  .partial({ is_admin: true, is_super_admin: true, is_auditor: true, type: true, language: true })
  .extend({
    password: NewPassword.optional().describe(
      'Required, unless the user is invited. Where nobody signs in with a password, leave it out and set `invite` to false',
    ),
    invite: z.boolean().optional().describe('Whether to create a link that lets the user choose a password'),
  })
  .refine(({ password, invite }) => invite !== undefined || password !== undefined, {
    error: 'Password is required!',
    path: ['password'],
    // Reported together with what is wrong in other fields.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .refine(({ password, invite }) => !(invite === true && password !== undefined), {
    error: 'Leave out the password of a user who is invited.',
    path: ['password'],
  })
  .meta({
    oneOf: [
      { required: ['password'], properties: { invite: { const: false } } },
      { required: ['invite'], properties: { password: false } },
    ],
  })
export const UserUpdate = written.extend({ password: NewPassword, current_password: CurrentPassword }).partial()
export const UserDetails = User.extend({
  locked_until: field
    .string(
      'When the user can sign in again after too many wrong passwords. Missing if the user is not locked',
      '2026-11-16T09:40:00.000Z',
    )
    .optional(),
}).describe('The user')
export const UserFilter = filterIn('body', userList)
export const ListedUser = User.extend({
  last_sign_in_at: field
    .timestamp('')
    .nullable()
    .optional()
    .describe('When the user last signed in. Null if that was never, or is not known'),
}).describe('The user')

export type UserFields = z.infer<typeof UserFields>
export type User = z.infer<typeof User>
export type CreatedUser = z.infer<typeof CreatedUser>
export type Invitation = z.infer<typeof Invitation>
export type UserDetails = z.infer<typeof UserDetails>
export type UserCreate = z.infer<typeof UserCreate>
export type UserUpdate = z.infer<typeof UserUpdate>
export type UserQuery = ListQuery<typeof userList>
export type UserFileQuery = FileQuery<typeof userList>
export type UserFilter = z.output<typeof UserFilter>
export type ListedUser = z.infer<typeof ListedUser>

export const listUsers = listOf('List users', userList, ListedUser)

export const downloadUsers = queryOf('Download users as a file', fileQuery(userList), z.unknown())

export const getUser = readOf('Read a user', UserDetails)

export const Invitation = field.object('The link', {
  link: field.stringOrNull(
    'The link to give to the user. It is shown only this once. Null if it is sent by mail',
    'https://desk.example.com/set_password#Ab3dEf',
  ),
  sent_to: field.stringOrNull('The address that it is sent to. Null if it is not sent by mail', 'olena@example.com'),
  expires_at: field.timestamp('When the link expires'),
})

export const CreatedUser = User.extend({
  invitation: Invitation.optional().describe('For a user who is invited'),
}).describe('The user')

export const createUser = { summary: 'Create a user', body: UserCreate, response: { 201: CreatedUser } }

export const inviteUser = readOf('Create a link that lets a user choose a password', Invitation)

export const updateUser = editOf('Edit a user', UserUpdate, User)

export const deleteUser = deleteOf('Delete a user')

export const UserRestore = z
  .strictObject({
    email: field
      .email()
      .optional()
      .describe('Another email for the user, for example because someone else has theirs now'),
  })
  .optional()

export const restoreUser = actionOf('Restore a deleted user', UserRestore, User)

export const unlockUser = {
  summary: 'Unlock a user who entered too many wrong passwords',
  params: IdParams,
  response: { 204: Nothing },
}
