import '@mantine/core/styles/Title.layer.css'
import { Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useDocumentTitle } from './document-title.ts'
import classes from './page.module.css'

type PageProps = {
  title: string
  /** One line of what the page holds. A space keeps its room until that is known. */
  summary?: ReactNode
  /** What narrows a list down; on the right of the heading. */
  filters?: ReactNode
  /** The way back up, above the heading. */
  above?: ReactNode
  children?: ReactNode
}

/** A page's heading and what stands below it; names the browser's tab and takes the focus when one navigates to it. */
export function Page({ title, summary, filters, above, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const arrived = useRouterState({ select: (state) => state.resolvedLocation !== undefined })
  useDocumentTitle(title)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the moment of arrival counts
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <div className={classes.heading}>
          {above && <div className={classes.above}>{above}</div>}
          <Title ref={heading} order={1} tabIndex={-1}>
            {title}
          </Title>
          {summary && <p className={classes.summary}>{summary}</p>}
        </div>
        {filters && <div className={classes.filters}>{filters}</div>}
      </div>
      {children}
    </div>
  )
}
