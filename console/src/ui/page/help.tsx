import { csvLine } from '@watchdesk/contract/csv'
import { type ReactNode, useId } from 'react'
import { Icon } from '../display/icon.tsx'
import { Code } from '../display/tag.tsx'
import { saveFile } from '../file/save-file.ts'
import classes from './help.module.css'

/** The page's content with its help next to it, or below it on narrow screens. */
export function WithHelp({ help, children }: { help: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      {children}
      {help}
    </div>
  )
}

export function Help({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <aside className={classes.help} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </aside>
  )
}

type Column = { about: ReactNode; example?: string | undefined; kind?: 'required' | 'optional' }

/** The columns of a file, with a description of each. */
export function HelpColumns({ columns }: { columns: Record<string, Column> }) {
  return (
    <dl className={classes.names}>
      {Object.entries(columns).map(([name, { about, example, kind }]) => (
        <div key={name}>
          <dt>
            <code className={classes.name}>{name}</code> {kind && <span className={classes.kind}>{kind}</span>}
          </dt>
          <dd>
            {about}
            {example && (
              <span className={classes.example}>
                e.g. <Code>{example}</Code>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A CSV file with these rows, and a byte order mark so that Excel detects UTF-8. */
export function Template({ file, rows }: { file: string; rows: string[][] }) {
  function save() {
    const text = rows.map(csvLine).join('')
    saveFile(new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' }), file)
  }
  return (
    <button type="button" className={classes.template} onClick={save}>
      <Icon name="download" size={16} />
      Download a template
    </button>
  )
}
