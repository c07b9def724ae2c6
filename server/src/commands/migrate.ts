import { grantRowRights, needRole } from '../db/grants.ts'
import { migrate } from '../db/migrate.ts'
import { command } from './command.ts'

/** npm run migrate [-- ROLE]: run it as the schema owner, if the server's role may not change the schema. */
export const run = ([role]: string[]) =>
  command(
    async ({ pool }) => {
      if (role !== undefined) await needRole(pool, role)
      await migrate(pool)
      if (role !== undefined) await grantRowRights(pool, role)
      const granted = role === undefined ? '' : `, and the role "${role}" has the rights that a server needs`
      console.log(`The database has the schema of this release${granted}`)
    },
    { share: true },
  )
