import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Menu, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../ui/display/icon.tsx'
import { canLeave } from '../../ui/navigation/use-leave-guard.ts'
import { currentUserQuery, signOut } from './queries.ts'
import classes from './user-menu.module.css'

/** Other backends may not have one. */
const HAS_API_REFERENCE = !import.meta.env.VITE_API_URL

export function UserMenu() {
  const { data: user, isPending } = useQuery(currentUserQuery)
  // Logging out works without a response too.
  const name = user ? `${user.first_name} ${user.last_name}` : 'Account'

  return (
    <Menu position="bottom-end" width={220} withinPortal={false} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <UnstyledButton className={classes.target} aria-busy={isPending}>
          <span className={classes.initials} aria-hidden="true">
            {user && initials(user)}
          </span>
          <span className={classes.name}>{name}</span>
          <Icon name="chevron-down" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {user && (
          <div className={classes.person}>
            <span className={classes.fullName}>{name}</span>
            {user.email}
          </div>
        )}
        {HAS_API_REFERENCE && (
          <Menu.Item
            component="a"
            href="/api/docs"
            target="_blank"
            title="Opens in a new tab"
            leftSection={<Icon name="code" />}
            rightSection={<Icon name="external-link" size={16} />}
          >
            API reference
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="log-out" />} onClick={() => void logOut()}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
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
