import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Changing } from '../../ui/page/can-change.tsx'
import { currentUserQuery, hasAccount } from '../auth/queries.ts'
import classes from './list.module.css'

/** Next to the heading. Other backends cannot import users. */
export function AddManyUsers({ workspace_id }: { workspace_id: number | undefined }) {
  const { data: me } = useQuery(currentUserQuery)
  if (!hasAccount(me)) return null
  return (
    <Changing>
      <Link to="/users/import" search={{ workspace_id }} className={classes.link}>
        Add many users
      </Link>
    </Changing>
  )
}
