import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { currentUserQuery } from '../features/session/queries.ts'
import { Icon } from '../ui/icon.tsx'
import { MENU } from './menu.ts'
import classes from './side-menu.module.css'

/** Beside the page where there is room. */
export function SideMenu() {
  return (
    <nav className={classes.side} aria-label="Main">
      <Entries />
    </nav>
  )
}

/** The same menu on narrow screens, behind a button. */
export function BurgerMenu() {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <UnstyledButton className={classes.burger} aria-label="Open menu" aria-expanded={isOpen} onClick={open}>
        <Icon name="menu" size={22} />
      </UnstyledButton>
      <Drawer.Root opened={isOpen} onClose={close} size={280} transitionProps={{ duration: 120 }}>
        <Drawer.Overlay />
        <Drawer.Content aria-label="Menu">
          <Drawer.Body className={classes.drawer}>
            <Drawer.CloseButton className={classes.close} aria-label="Close menu" />
            <nav aria-label="Main">
              <Entries onOpen={close} />
            </nav>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  )
}

function Entries({ onOpen }: { onOpen?: () => void }) {
  const { data: user } = useQuery(currentUserQuery)
  const entries = MENU.filter(({ isForWorkspaceAdmins }) => isForWorkspaceAdmins || user?.is_super_admin)
  return (
    <ul className={classes.entries}>
      {entries.map(({ label, to, icon }) => (
        <li key={label}>
          <Link to={to} className={classes.entry} onClick={onOpen}>
            <Icon name={icon} size={20} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
