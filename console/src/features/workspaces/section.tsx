import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import { Fields } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import classes from './section.module.css'

type SectionProps<Values> = {
  save: Save<Values>
  title: string
  /** A sentence that describes the contents. */
  about: string
  /** The fields inside: an error in one of them opens the section. */
  fields: (keyof Values & string)[]
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** A collapsible card of a form. */
export function Section<Values>({ save, title, about, fields, isOpenAtFirst = false, children }: SectionProps<Values>) {
  const id = useId()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [refusals, setRefusals] = useState(save.refusals)
  const inside: string[] = fields
  const isWrong = Object.keys(save.form.errors).some((path) => inside.includes(path.split('.')[0] ?? ''))

  // During render, so that the invalid field is mounted when the form moves the focus to it.
  if (refusals !== save.refusals) {
    setRefusals(save.refusals)
    if (isWrong) setOpen(true)
  }

  return (
    <section className={classes.section} aria-labelledby={`${id}title`}>
      <h2 className={classes.heading}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}body` : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes.words}>
            <span id={`${id}title`} className={classes.title}>
              {title}
            </span>
            <span className={classes.about}>{about}</span>
          </span>
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
        </button>
      </h2>
      {isOpen && (
        <Fields id={`${id}body`} className={classes.body}>
          {children}
        </Fields>
      )}
    </section>
  )
}
