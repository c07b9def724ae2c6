import { z } from 'zod'
import { binList } from './bin.ts'
import { callOf, readOf, sendOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { CLASHES_AT_ONCE, DAYS_IN_BIN, LENGTH, RESTORED_AT_ONCE } from './limits.ts'
import { keysOf, type ListQuery } from './list.ts'
import { listOf } from './page.schema.ts'
import { DELETABLE_KINDS } from './records.ts'

const Kind = field.about(z.enum(keysOf(DELETABLE_KINDS)), 'What it is', 'user')

const Problem = z.object({
  reason: field.about(
    z.enum(['workspace_deleted', 'email_taken', 'super_admins_only']),
    'The kind of problem',
    'email_taken',
  ),
  text: field.string('The problem in words', 'Olena Kovalenko now has the email olena@example.com.'),
  taken_by: field.Author.nullable().describe(
    'Who has the email of a deleted user now. Null for other problems, and for users whom the caller may not see',
  ),
})

export const BinRecord = z.object({
  kind: Kind,
  id: field.Id,
  name: field.string('Name of the record', 'Atlas Media'),
  detail: field.stringOrNull(
    'The email of a user, the number of rows of a sheet, the platform of a source; otherwise the description',
    'olena@example.com',
  ),
  workspace: field.objectOrNull('The workspace of a user. Null for other kinds', {
    id: field.Id.describe('Id of the workspace'),
    name: z.string().meta({ examples: ['Atlas Media'] }),
  }),
  deleted_at: field.timestamp('When it was deleted'),
  deleted_by: field.Author.nullable().describe('Who deleted it. Null if that is not known'),
  days_left: field.count(`Days until it is removed for good, ${DAYS_IN_BIN} days after it was deleted`),
  users: field.count('Number of users that were deleted with the workspace, and return with it'),
  workspaces: field.count('Number of workspaces that list the dashboard'),
  problem: Problem.nullable().describe('Why it cannot be restored right now. Null if it can'),
})

export const EmailClash = z.object({
  id: field.Id.describe('Id of the deleted user'),
  name: field.string('Name of the deleted user', 'Olena Kovalenko'),
  email: field.string('The email that is taken', 'olena@example.com'),
  taken_by: field.Author.describe('Who has the email now'),
})

const BinOutcome = z.object({
  kind: Kind,
  id: field.Id,
  problem: field.stringOrNull('Why it was not restored. Null if it was', 'A user with this email already exists.'),
})

export const BinRestore = z.strictObject({
  records: z
    .array(z.strictObject({ kind: Kind, id: field.Id }))
    .min(1, 'Choose at least one record.')
    .max(RESTORED_AT_ONCE, `At most ${RESTORED_AT_ONCE} records at once.`),
})
export const BinRemove = z.strictObject({
  kind: Kind,
  id: field.Id,
  name: field.about(field.text(LENGTH.link), 'The name of the record, as a confirmation', 'Atlas Media'),
})

export type BinRecord = z.infer<typeof BinRecord>
export type BinOutcome = z.infer<typeof BinOutcome>
export type EmailClash = z.infer<typeof EmailClash>
export type BinQuery = ListQuery<typeof binList>
export type BinRestore = z.infer<typeof BinRestore>
export type BinRemove = z.infer<typeof BinRemove>

export const listBin = listOf('List deleted records, the last deleted first', binList, BinRecord)

export const listEmailClashes = readOf(
  'List the users of a deleted workspace whose email is taken',
  field.object('The users whose email is taken', {
    objects: z.array(EmailClash).describe(`The users, at most ${CLASHES_AT_ONCE.toLocaleString('en')}`),
    total: field.count('Number of users whose email is taken'),
  }),
)

export const restoreFromBin = callOf(
  'Restore deleted records, workspaces first',
  BinRestore,
  field.object('The outcome of each record', {
    outcomes: z.array(BinOutcome).describe('The outcome of each record, in the order of the request'),
  }),
)

export const removeFromBin = sendOf('Delete a record for good', BinRemove)
