import type { FastifyBaseLogger } from 'fastify'
import type { Sheets } from './adapters/sheets/sheets.ts'
import type { Database, Db } from './db/open.ts'
import type { InSnapshot, Read } from './db/read.ts'
import type { Rights } from './db/rights.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Runner } from './jobs/runner.ts'
import type { RecordKinds } from './modules/activity/record-kind.ts'
import type { Mails } from './modules/auth/links/send-mails.ts'
import type { Lockout } from './modules/auth/session/lockout.ts'
import type { SessionStore } from './modules/auth/session/store.ts'
import type { OperationKinds } from './modules/operations/kind.ts'
import type { Verify } from './modules/operations/verify.ts'
import type { Prepared } from './prepare-deps.ts'

/** What the modules get: `read` and `db` to read, and `rights` to write with the rights of the caller. */
export type Deps = Omit<ServerDeps, 'db' | 'pool' | 'diskSpace'> & { db: Db }

/** What the modules get that sign users in, or let them manage their own account: they write without a session too. */
export type SignInDeps = ServerDeps & { sessions: SessionStore }

export type ServerDeps = Prepared &
  Omit<Database, 'close'> & {
    log: FastifyBaseLogger
    read: Read
    inSnapshot: InSnapshot
    rights: Rights
    verify: Verify
    lockout: Lockout
    vectorizing: Runner
    kinds: OperationKinds
    records: RecordKinds
    jobs: Jobs
    mails: Mails
    sheets: Sheets
  }
