import type { Platform } from '@watchdesk/contract/enums'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import classes from './help.module.css'
import { EXAMPLES } from './platforms.ts'

const COUNTRY = 'Ukraine'

export function Help({ platform }: { platform: Platform | null }) {
  const example = EXAMPLES[platform ?? 'TELEGRAM']

  function template() {
    const text = `source_url,source_country\r\n${example},${COUNTRY}\r\n`
    saveFile(new Blob([text], { type: 'text/csv' }), 'sources-template.csv')
  }

  return (
    <aside className={classes.help} aria-labelledby="help">
      <h2 id="help" className={classes.heading}>
        How it works
      </h2>
      <p className={classes.about}>
        <strong>Export sources</strong> writes all sources of the platform to a new sheet.
      </p>
      <p className={classes.about}>
        <strong>Import sources</strong> reads the platform’s sheet: what is new is added, a changed country is taken
        over. Nothing is deleted, and a bad row is skipped without stopping the rest.
      </p>
      <p className={classes.about}>The sheet needs these columns, in any order and letter case:</p>
      <dl className={classes.columns}>
        <div>
          <dt>source_url</dt>
          <dd>
            Required: an address of the platform, such as <span className={classes.example}>{example}</span>
          </dd>
        </div>
        <div>
          <dt>source_country</dt>
          <dd>Optional: the name or code of a country, such as {COUNTRY} or UA</dd>
        </div>
      </dl>
      <button type="button" className={classes.template} onClick={template}>
        <Icon name="download" size={16} />
        Download a template
      </button>
    </aside>
  )
}
