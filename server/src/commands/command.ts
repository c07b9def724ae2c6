import { type Database, openDatabase } from '../db/open.ts'
import { type Env, readEnv, StartError } from '../env.ts'

/** Runs a command on the database of the settings; what the operator can mend is told in one line. */
export async function command(work: (database: Database, env: Env) => Promise<void>, { share = false } = {}) {
  try {
    const env = readEnv(process.env)
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
