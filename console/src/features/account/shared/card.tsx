import '@mantine/core/styles/Title.layer.css'
import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useCanChange } from '../../../ui/page/can-change.tsx'
import classes from './card.module.css'

type CardProps = {
  /** For links to it. */
  id: string
  title: string
  about?: ReactNode
  /** The buttons of the whole card. */
  actions?: ReactNode
  children?: ReactNode
}

/** A section of the page. Its heading takes the focus when the button that had it is gone. */
export function Card({ id, title, about, actions, children }: CardProps) {
  return (
    <section id={id} className={classes.card} aria-labelledby={`${id}-title`}>
      <div className={classes.top}>
        <Title order={2} id={`${id}-title`} tabIndex={-1}>
          {title}
        </Title>
        <Actions>{actions}</Actions>
      </div>
      {about && <p className={classes.about}>{about}</p>}
      {children}
    </section>
  )
}

type PartProps = { title: string; about?: ReactNode; actions?: ReactNode; children?: ReactNode }

/** A part of a card with its own heading. */
export function Part({ title, about, actions, children }: PartProps) {
  const id = useId()
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={classes.top}>
        <div className={classes.words}>
          <h3 id={id} className={classes.title}>
            {title}
          </h3>
          {about && <p className={classes.about}>{about}</p>}
        </div>
        <Actions>{actions}</Actions>
      </div>
      {children}
    </section>
  )
}

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = { title: string; tags?: ReactNode; facts: ReactNode[]; actions?: ReactNode }

/** A name, what is known about it, and its buttons. */
export function Row({ title, tags, facts, actions }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name}>
          {title} {tags}
        </div>
        <div className={classes.facts}>
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fact has no other identity than its place
            <span key={index}>{fact}</span>
          ))}
        </div>
      </div>
      <Actions>{actions}</Actions>
    </li>
  )
}

/** Auditors are offered no changes, except in their own account. */
function Actions({ children }: { children: ReactNode }) {
  const canChange = useCanChange()
  return children && canChange ? <div className={classes.actions}>{children}</div> : null
}
