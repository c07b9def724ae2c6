import { z } from 'zod'
import { count, Id, int, objectsOf, onceOf, string, stringOrNull, text } from './fields.schema.ts'
import { LENGTH, MAX_ROWS, USERS_IN_A_CALL, USERS_IN_AN_IMPORT } from './limits.ts'
import { pick } from './list.ts'
import { USER_CELL_LENGTH, USER_CELLS, USER_OUTCOMES, USER_SETTINGS, type WrittenUser } from './user-row.ts'
import { NewPassword, UserCreate } from './users.schema.ts'

export const FoundUser = z
  .object({
    id: Id,
    email: string('Email address', 'olena@example.com'),
    name: string('Full name', 'Olena Kovalenko'),
    workspace: z.object({ id: Id, name: z.string().meta({ examples: ['Atlas Media'] }) }),
  })
  .describe('The user')

export const findUsers = {
  summary: 'Find the users with these emails',
  body: z.strictObject({
    emails: z
      .array(text(LENGTH.email))
      .max(USERS_IN_AN_IMPORT)
      .meta({ description: 'Emails, in any letter case', examples: [['olena@example.com']] }),
  }),
  response: { 200: objectsOf(FoundUser, 'The users that exist', 'The users') },
}

const RowNumber = int('Number of the row in the file, or of the line in a text', 2, { min: 1, max: MAX_ROWS })

function cell({ description, example }: { description: string; example: string }) {
  return text(USER_CELL_LENGTH)
    .optional()
    .meta({ description, examples: [example] })
}

const cells = Object.entries(USER_CELLS).map(([name, about]) => [name, cell(about)])

const WrittenRow = z.strictObject({
  row: RowNumber,
  ...(Object.fromEntries(cells) as Record<keyof WrittenUser, ReturnType<typeof cell>>),
  password: NewPassword.optional().describe(
    'Password of the user. Without it, the row is checked and not added, unless users are invited. Leave it out where nobody signs in with a password',
  ),
})

export const UsersImport = z.strictObject({
  import_id: Id.optional().describe('The import that the first call created, to add more users to it'),
  workspace_id: UserCreate.shape.workspace_id,
  ...pick(UserCreate.shape, USER_SETTINGS),
  invite: z
    .boolean()
    .optional()
    .describe('Whether users without a password get a link to choose one: by mail, or in the response'),
  name: text(LENGTH.file)
    .optional()
    .meta({ description: 'Name of the file', examples: ['users.csv'] }),
  rows_count: z
    .int()
    .min(1)
    .max(USERS_IN_AN_IMPORT, `Add at most ${USERS_IN_AN_IMPORT.toLocaleString('en')} users at a time.`)
    .meta({ description: 'Number of rows in all calls', examples: [28] }),
  rows: z
    .array(WrittenRow)
    .min(1)
    .max(USERS_IN_A_CALL, `At most ${USERS_IN_A_CALL} rows in a call.`)
    .describe('The next rows, as they are written in the file'),
})

const Outcome = z.enum(USER_OUTCOMES).meta({ description: 'What became of the row', examples: ['added'] })

export const UsersImported = z
  .object({
    import_id: Id.describe('The import that the users belong to'),
    rows: z
      .array(
        z.object({
          row: RowNumber,
          user_id: Id.nullable().describe('Id of the new user. Null if the row was not added'),
          email: string('Email address', 'olena@example.com'),
          name: string('Full name', 'Olena Kovalenko'),
          outcome: Outcome,
          reason: stringOrNull('Why it was not added. Null if it was', 'A user with this email already exists.'),
          link: z
            .string()
            .optional()
            .meta({
              description: 'For an invited user who gets no mail: the link to choose a password. It is not shown again',
              examples: ['https://desk.example.com/set_password#Ab3dEf'],
            }),
        }),
      )
      .describe('The rows, in the order of the request'),
    added_count: count('Number of users that the whole import has added so far'),
  })
  .describe('What became of each row')

export type FoundUser = z.infer<typeof FoundUser>
export type UsersImport = z.infer<typeof UsersImport>
export type UsersImported = z.infer<typeof UsersImported>

export const importUsers = onceOf('Add many users, a few with each call', UsersImport, UsersImported)
