import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { CanChange } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { currentUserQuery, hasPasswords } from '../auth/queries.ts'
import { Appearance } from './appearance.tsx'
import { InView } from './in-view.tsx'
import classes from './page.module.css'
import { Password } from './password.tsx'
import { ProfileForm } from './profile.tsx'
import { accountQuery, sessionsQuery } from './queries.ts'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Card } from './shared/card.tsx'
import { Tokens } from './tokens.tsx'

// The sentences of events are large, and many visits never reach them.
const Events = lazy(() => import('./events.tsx').then((module) => ({ default: module.Events })))

const SECTIONS = {
  profile: 'Profile',
  appearance: 'Appearance',
  password: 'Password',
  'second-factor': 'Second factor',
  sessions: 'Sessions',
  tokens: 'Tokens',
  events: 'Security events',
}

/** Auditors can change their own account too. */
export function AccountPage() {
  const { data: account, error, refetch } = useQuery(accountQuery)
  const { data: me } = useQuery(currentUserQuery)
  const isWithPasswords = hasPasswords(me)
  // Its length moves the sections below.
  const { isPending } = useQuery(sessionsQuery)
  const isReady = account !== undefined && !isPending
  useEffect(() => {
    if (isReady) document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [isReady])
  return (
    <CanChange value>
      <Page title="My account" summary={account ? account.email : ' '}>
        {account ? (
          <div className={classes.columns}>
            <Contents isWithPasswords={isWithPasswords} />
            <div className={classes.sections}>
              <Card id="profile" title="Profile">
                <ProfileForm />
              </Card>
              <Appearance />
              {isWithPasswords && (
                <div id="password" className={classes.anchor}>
                  <Password key={String(account.has_password)} account={account} />
                </div>
              )}
              <SecondFactor
                account={account}
                hasPassword={isWithPasswords && account.has_password}
                canAdd={isWithPasswords}
              />
              <Sessions account={account} />
              <Tokens />
              <Card id="events" title="Security events" about="What you and others did to your account, newest first.">
                <InView>
                  <Suspense fallback={<Loading label="Loading the events" />}>
                    <Events />
                  </Suspense>
                </InView>
              </Card>
            </div>
          </div>
        ) : error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Page>
    </CanChange>
  )
}

/** Links to the sections, where there is room for them. */
function Contents({ isWithPasswords }: { isWithPasswords: boolean }) {
  const shown = Object.entries(SECTIONS).filter(([id]) => isWithPasswords || id !== 'password')
  return (
    <nav className={classes.contents} aria-label="On this page">
      <ul>
        {shown.map(([id, label]) => (
          <li key={id}>
            <Link to="/account" hash={id} replace>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
