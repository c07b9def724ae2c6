import '@mantine/core/styles/Title.layer.css'
import { Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { AuditorNote, useCanChange } from './can-change.tsx'
import classes from './page.module.css'
import { useDocumentTitle } from './use-document-title.ts'

type PageProps = {
  title: string
  /** A one-line description. A space reserves the line while it loads. */
  summary?: ReactNode
  /** Who changed the record of the page last. The line is reserved while it loads. */
  changed?: ReactNode
  /** The filters of a list, to the right of the heading. */
  filters?: ReactNode
  /** The back link, above the heading. */
  above?: ReactNode
  /** Whether the page is only there to start something: auditors see a note instead of its content. */
  isStart?: boolean
  children?: ReactNode
}

/** A page's heading and its content. */
export function Page({ title, summary, changed, filters, above, isStart, children }: PageProps) {
  const canChange = useCanChange()
  return (
    <PageFrame>
      <div className={classes.top}>
        <div className={classes.heading}>
          {above && <div className={classes.above}>{above}</div>}
          <PageTitle title={title} />
          {summary && <p className={classes.summary}>{summary}</p>}
          {changed && <div className={classes.changed}>{changed}</div>}
        </div>
        {filters && <div className={classes.filters}>{filters}</div>}
      </div>
      {isStart && !canChange ? <AuditorNote /> : children}
    </PageFrame>
  )
}

/** The layout of a page whose title is on a card. */
export function PageFrame({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

/** Also sets the document title, and takes the focus after navigation. */
export function PageTitle({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const arrived = useRouterState({ select: (state) => state.resolvedLocation !== undefined })
  useDocumentTitle(title)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only runs on navigation
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Title ref={heading} order={1} tabIndex={-1}>
      {title}
    </Title>
  )
}
