import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useMatch, useRouter } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useState } from 'react'
import { sawEverything } from '../api/token.ts'
import { currentUserQuery, seesEverything } from '../features/auth/queries.ts'
import { sectionOf, sheetQuery } from '../features/sheets/queries.ts'
import { Icon } from '../ui/display/icon.tsx'
import { isRecordId } from '../ui/navigation/record-id.ts'
import classes from './side-menu.module.css'
import { useMissingCalls } from './use-missing-calls.ts'

const Drawer = lazy(() => import('./menu-drawer.tsx').then((module) => ({ default: module.MenuDrawer })))

/** Next to the page on wide screens. */
export function SideMenu() {
  return (
    <nav className={classes.side} aria-label="Main">
      <Entries />
    </nav>
  )
}

/** The same menu on narrow screens, opened with a button. */
export function BurgerMenu() {
  // Undefined until first opened, so that wide screens never load the drawer.
  const [isOpen, setOpen] = useState<boolean>()
  const close = () => setOpen(false)
  return (
    <>
      <UnstyledButton
        className={classes.burger}
        aria-label="Open menu"
        aria-expanded={isOpen === true}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" size={22} />
      </UnstyledButton>
      {isOpen !== undefined && (
        <Suspense>
          <Drawer isOpen={isOpen} onClose={close}>
            <Entries onOpen={close} />
          </Drawer>
        </Suspense>
      )}
    </>
  )
}

function Entries({ onOpen }: { onOpen?: () => void }) {
  const { data: user } = useQuery(currentUserQuery)
  const section = useSheetSection(seesEverything(user))
  const entries = useMenu(user ? seesEverything(user) : sawEverything())
  // Groups follow the entries without a group, which is `undefined` here.
  const groups = [...new Set([undefined, ...entries.map(({ group }) => group)])]
  return groups.map((group) => (
    <Fragment key={group ?? ''}>
      {group && <p className={classes.group}>{group}</p>}
      <ul className={classes.entries} aria-label={group}>
        {entries
          .filter((entry) => entry.group === group)
          .map(({ label, to, icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={classes.entry}
                aria-current={to === section ? 'true' : undefined}
                onClick={onOpen}
              >
                <Icon name={icon} size={20} />
                {label}
              </Link>
            </li>
          ))}
      </ul>
    </Fragment>
  ))
}

/** The entries of the routes that the user can open and the backend supports. If nothing is known yet, the first group. */
function useMenu(maySeeAll: boolean | undefined) {
  const entries = Object.values(useRouter().routesByPath).flatMap(({ fullPath, options }) => {
    const { menu, isForWorkspaceAdmins } = options.staticData ?? {}
    const isShown = maySeeAll === undefined ? !menu?.group : isForWorkspaceAdmins || maySeeAll
    return menu && isShown ? [{ to: fullPath, ...menu }] : []
  })
  const missing = useMissingCalls(entries.flatMap(({ probe = [] }) => probe))
  return entries.filter(({ probe }) => !probe || !missing.has(probe.url))
}

/** Sheets have no menu entry: the page that lists them, or created the open one, is marked as current. */
function useSheetSection(maySee: boolean) {
  const isList = useMatch({ from: '/signed-in/sheets', shouldThrow: false }) !== undefined
  const match = useMatch({ from: '/signed-in/sheets/$id', shouldThrow: false })
  const id = match?.params.id ?? ''
  const { data: sheet } = useQuery({ ...sheetQuery(Number(id)), enabled: maySee && isRecordId(id) })
  return isList ? '/imports' : sheet && sectionOf(sheet).to
}
