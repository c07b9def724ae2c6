import '@mantine/core/styles/Title.layer.css'
import { Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useDocumentTitle } from '../../ui/page/use-document-title.ts'
import classes from './login.module.css'

type CardProps = {
  title: string
  summary?: ReactNode
  /** For a card without a field to type into, so that screen readers read it. */
  isHeadingFocused?: boolean
  children?: ReactNode
}

/** The pages for visitors. */
export function Card({ title, summary, isHeadingFocused = false, children }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another step
  useEffect(() => {
    if (isHeadingFocused) heading.current?.focus()
  }, [title, isHeadingFocused])
  return (
    <div className={classes.page}>
      <div className={classes.sheet}>
        <header>
          <Title ref={heading} order={1} tabIndex={-1}>
            {title}
          </Title>
          {summary && <p className={classes.summary}>{summary}</p>}
        </header>
        {children}
      </div>
    </div>
  )
}
