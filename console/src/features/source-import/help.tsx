import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IMPORTABLE_PLATFORMS } from '@watchdesk/contract/limits'
import { SOURCE_COLUMNS } from '@watchdesk/contract/sources'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Code } from '../../ui/tag.tsx'
import classes from './help.module.css'
import { serviceAccountQuery } from './queries.ts'

/** With the mark by which Excel knows UTF-8. No rows: what is left in it by mistake would be imported. */
const TEMPLATE = `\uFEFF${Object.values(SOURCE_COLUMNS).join(',')}\r\n`

export function Help() {
  return (
    <aside className={classes.help} aria-label="Help">
      <h2 className={classes.title}>What the sheet needs</h2>
      <dl className={classes.columns}>
        <dt>
          <Code>{SOURCE_COLUMNS.url}</Code> <span className={classes.kind}>required</span>
        </dt>
        <dd>The address of a channel, page or profile, such as https://t.me/name</dd>
        <dt>
          <Code>{SOURCE_COLUMNS.country}</Code> <span className={classes.kind}>optional</span>
        </dt>
        <dd>The country, by name or code: Ukraine, Україна, UA or UKR</dd>
      </dl>
      <p>The first row names the columns. Other columns may stand beside them.</p>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="download" size={16} />}
        onClick={() => saveFile(new Blob([TEMPLATE], { type: 'text/csv;charset=utf-8' }), 'sources-template.csv')}
      >
        Download template
      </Button>
      <h2 className={classes.title}>Supported platforms</h2>
      <ul className={classes.platforms}>
        {IMPORTABLE_PLATFORMS.map((platform) => (
          <li key={platform}>
            <Code>{platform}</Code>
          </li>
        ))}
      </ul>
      <h2 className={classes.title}>Importing from a URL</h2>
      <Sharing />
    </aside>
  )
}

function Sharing() {
  const { data: account, isSuccess } = useQuery(serviceAccountQuery)
  if (account) {
    return (
      <p>
        The sheet must be shared with the service account <strong className={classes.account}>{account}</strong>
      </p>
    )
  }
  return (
    <p>
      The sheet must be shared with a service account.{' '}
      {isSuccess
        ? 'None is set up here, so share the sheet with anyone who has the link.'
        : 'Whoever runs this console knows its address.'}
    </p>
  )
}
