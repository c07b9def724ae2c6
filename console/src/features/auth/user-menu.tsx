import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../../ui/display/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu/menu.tsx'
import { canLeave } from '../../ui/navigation/use-leave-guard.ts'
import { currentUserQuery, hasAccount, signOut } from './queries.ts'
import classes from './user-menu.module.css'

/** Other backends may not have one. */
const HAS_API_REFERENCE = !import.meta.env.VITE_API_URL

export function UserMenu() {
  const { data: user, isPending } = useQuery(currentUserQuery)
  const navigate = useNavigate()
  // Logging out works without a response too.
  const name = user ? `${user.first_name} ${user.last_name}` : 'Account'

  return (
    <Menu
      className={classes.menu}
      target={(props) => (
        <UnstyledButton {...props} className={classes.target} aria-busy={isPending}>
          <span className={classes.initials} aria-hidden="true">
            {user && initials(user)}
          </span>
          <span className={classes.name}>{name}</span>
          <Icon name="chevron-down" size={16} />
        </UnstyledButton>
      )}
    >
      {user && (
        <div className={classes.person}>
          <span className={classes.fullName}>{name}</span>
          {user.email}
        </div>
      )}
      {hasAccount(user) && (
        <MenuItem icon="user" onClick={() => void navigate({ to: '/account' })}>
          My account
        </MenuItem>
      )}
      {HAS_API_REFERENCE && (
        <MenuItem icon="code" href="/api/docs">
          API reference
        </MenuItem>
      )}
      <MenuItem icon="log-out" onClick={() => void logOut()}>
        Logout
      </MenuItem>
    </Menu>
  )
}

/** Asks first: once the session is revoked, nothing can be saved. */
async function logOut() {
  if (await canLeave()) await signOut()
}

function initials({ first_name, last_name }: { first_name: string; last_name: string }) {
  return [first_name, last_name].map((name) => [...name.trim()][0]?.toLocaleUpperCase() ?? '').join('')
}
