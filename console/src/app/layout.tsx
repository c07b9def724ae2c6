import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from '../ui/display/logo.tsx'
import classes from './layout.module.css'

type LayoutProps = {
  /** For signed-in users: the menu, the menu for narrow screens, and the end of the top bar. */
  menu?: ReactNode
  burger?: ReactNode
  account?: ReactNode
  /** Below the top bar. */
  notices?: ReactNode
  children: ReactNode
}

/** The layout of every page. */
export function Layout({ menu, burger, account, notices, children }: LayoutProps) {
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.bar}>
        {burger}
        <Link to="/" className={classes.home}>
          <Logo />
          Watchdesk
        </Link>
        <div className={classes.account}>{account}</div>
      </header>
      {notices}
      <div className={classes.body}>
        {menu}
        <main id="main" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </>
  )
}
