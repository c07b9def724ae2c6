import { z } from 'zod'
import { callOf, objectsOf, onceOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { LENGTH, MAX_ROWS, USERS_IN_A_CALL, USERS_IN_AN_IMPORT } from './limits.ts'
import { pick } from './list.ts'
import { USER_CELL_LENGTH, USER_CELLS, USER_OUTCOMES, USER_SETTINGS, type WrittenUser } from './user-row.ts'
import { NewPassword, UserCreate } from './users.schema.ts'

export const FoundUser = field.object('The user', {
  id: field.Id,
  email: field.string('Email address', 'olena@example.com'),
  name: field.string('Full name', 'Olena Kovalenko'),
  workspace: z.object({ id: field.Id, name: z.string().meta({ examples: ['Atlas Media'] }) }),
})

export const findUsers = callOf(
  'Find the users with these emails',
  z.strictObject({
    emails: field.about(z.array(field.text(LENGTH.email)).max(USERS_IN_AN_IMPORT), 'Emails, in any letter case', [
      'olena@example.com',
    ]),
  }),
  objectsOf(FoundUser, 'The users that exist', 'The users'),
)

const RowNumber = field.int('Number of the row in the file, or of the line in a text', 2, { min: 1, max: MAX_ROWS })

function cell({ description, example }: { description: string; example: string }) {
  return field.about(field.text(USER_CELL_LENGTH).optional(), description, example)
}

const cells = Object.entries(USER_CELLS).map(([name, facts]) => [name, cell(facts)])

const WrittenRow = z.strictObject({
  row: RowNumber,
  ...(Object.fromEntries(cells) as Record<keyof WrittenUser, ReturnType<typeof cell>>),
  password: NewPassword.optional().describe(
    'Password of the user. Without it, the row is checked and not added, unless users are invited. Leave it out where nobody signs in with a password',
  ),
})

export const UsersImport = z.strictObject({
  import_id: field.Id.optional().describe('The import that the first call created, to add more users to it'),
  workspace_id: UserCreate.shape.workspace_id,
  ...pick(UserCreate.shape, USER_SETTINGS),
  invite: z
    .boolean()
    .optional()
    .describe('Whether users without a password get a link to choose one: by mail, or in the response'),
  name: field.about(field.text(LENGTH.file_name).optional(), 'Name of the file', 'users.csv'),
  rows_count: field.about(
    z
      .int()
      .min(1)
      .max(USERS_IN_AN_IMPORT, `Add at most ${USERS_IN_AN_IMPORT.toLocaleString('en')} users at a time.`),
    'Number of rows in all calls',
    28,
  ),
  rows: z
    .array(WrittenRow)
    .min(1)
    .max(USERS_IN_A_CALL, `At most ${USERS_IN_A_CALL} rows in a call.`)
    .describe('The next rows, as they are written in the file'),
})

const Outcome = field.about(z.enum(USER_OUTCOMES), 'What became of the row', 'added')

export const UsersImported = field.object('What became of each row', {
  import_id: field.Id.describe('The import that the users belong to'),
  rows: field.objects('The rows, in the order of the request', {
    row: RowNumber,
    user_id: field.Id.nullable().describe('Id of the new user. Null if the row was not added'),
    email: field.string('Email address', 'olena@example.com'),
    name: field.string('Full name', 'Olena Kovalenko'),
    outcome: Outcome,
    reason: field.stringOrNull('Why it was not added. Null if it was', 'A user with this email already exists.'),
    link: field
      .string(
        'For an invited user who gets no mail: the link to choose a password. It is not shown again',
        'https://desk.example.com/set_password#Ab3dEf',
      )
      .optional(),
  }),
  added_count: field.count('Number of users that the whole import has added so far'),
})

export type FoundUser = z.infer<typeof FoundUser>
export type UsersImport = z.infer<typeof UsersImport>
export type UsersImported = z.infer<typeof UsersImported>

export const importUsers = onceOf('Add many users, a few with each call', UsersImport, UsersImported)
