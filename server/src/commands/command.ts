import { type Database, openDatabase } from '../db/open.ts'
import { type Env, readEnv, StartError } from '../env.ts'

type Options = {
  /** Whether a running server may have the database open. */
  share?: boolean
  before?: (env: Env) => Promise<void>
}

/** Runs a command on the configured database; errors that the operator can fix are printed without a stack trace. */
export async function command(
  work: (database: Database, env: Env) => Promise<void>,
  { share = false, before }: Options = {},
) {
  try {
    const env = readEnv(process.env)
    await before?.(env)
    const database = await openDatabase(env, { share })
    try {
      await work(database, env)
    } finally {
      await database.close()
    }
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    process.exitCode = 1
  }
}
