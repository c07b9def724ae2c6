import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from '../ui/logo.tsx'
import classes from './layout.module.css'

/** The frame of every page. The account's menu is for those who are signed in. */
export function Layout({ account, children }: { account?: ReactNode; children: ReactNode }) {
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.bar}>
        <Link to="/" className={classes.home}>
          <Logo />
          Watchdesk
        </Link>
        {account}
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </>
  )
}
