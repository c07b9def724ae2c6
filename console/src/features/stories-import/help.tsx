import { Icon } from '../../ui/icon.tsx'
import { Code } from '../../ui/tag.tsx'
import classes from './help.module.css'

const COLUMNS = {
  narrative_id: 'The narrative’s number. One that the file names first is created.',
  message_composite_id: 'Which message tells the story. Its platform and content type are read from it.',
  story: 'The text.',
  sentiment_score: 'A number. May be empty.',
}

const EXAMPLE = ['7', 'TELEGRAM:POST:48213', 'Prices rise before the harvest', '-0.4']

export function Help() {
  return (
    <aside className={classes.help} aria-labelledby="help">
      <h2 id="help" className={classes.heading}>
        What the file needs
      </h2>
      <p className={classes.about}>A CSV or XLSX file with these columns, in any order:</p>
      <dl className={classes.columns}>
        {Object.entries(COLUMNS).map(([name, about], index) => (
          <div key={name} className={classes.column}>
            <dt>
              <code className={classes.name}>{name}</code>
            </dt>
            <dd>
              {about}
              <span className={classes.example}>
                e.g. <Code>{EXAMPLE[index]}</Code>
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.about}>
        A file is taken whole or not at all: with one bad row nothing is stored. A story that is there already is not
        stored twice.
      </p>
      <a className={classes.template} href="/stories-template.csv" download>
        <Icon name="download" size={16} />
        Download a template
      </a>
    </aside>
  )
}
