import { useId, useRef } from 'react'
import { CopyValue } from '../../ui/display/copy-value.tsx'
import classes from './links.module.css'
import { LINK_VALIDITY } from './result-file.ts'
import type { ResultRow } from './use-run.ts'

type LinksProps = {
  results: ResultRow[]
  /** Called when every link has been copied. */
  onSaved: () => void
}

/** The links of invited users, to pass on. Texts, as they are for others to open. */
export function Links({ results, onSaved }: LinksProps) {
  const id = useId()
  const copied = useRef(new Set<string>())
  const invited = results.flatMap(({ email, name, password: link }) => (link === null ? [] : [{ email, name, link }]))

  function add(link: string) {
    copied.current.add(link)
    if (copied.current.size === invited.length) onSaved()
  }

  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        Links
      </h2>
      <p className={classes.note}>Each link is valid for {LINK_VALIDITY}. Give it to the person it is for.</p>
      <ul className={classes.links}>
        {invited.map(({ email, name, link }) => (
          <li key={link} className={classes.link}>
            <span className={classes.person}>
              <strong>{name}</strong> {email}
            </span>
            <CopyValue label={`link of ${name}`} text={link} onCopied={() => add(link)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
