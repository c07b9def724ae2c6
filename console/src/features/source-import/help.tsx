import { useQuery } from '@tanstack/react-query'
import { IMPORTABLE_PLATFORMS } from '@watchdesk/contract/limits'
import { SOURCE_COLUMNS } from '@watchdesk/contract/source-row'
import { Code } from '../../ui/display/tag.tsx'
import { Help, HelpColumns, Template } from '../../ui/page/help.tsx'
import classes from './help.module.css'
import { serviceAccountQuery } from './queries.ts'

const COLUMNS = {
  [SOURCE_COLUMNS.url]: {
    about: 'The URL of a channel, page or profile, such as https://t.me/name',
    kind: 'required',
  },
  [SOURCE_COLUMNS.country]: { about: 'The country, by name or code: Ukraine, Україна, UA or UKR', kind: 'optional' },
} as const

export function SourceImportHelp() {
  return (
    <Help title="What the file or sheet needs">
      <p>The first row holds the column names. Extra columns are ignored.</p>
      <HelpColumns columns={COLUMNS} />
      {/* No sample rows: any left in the file would be imported. */}
      <Template file="sources-template.csv" rows={[Object.values(SOURCE_COLUMNS)]} />
      <h3>Supported platforms</h3>
      <ul className={classes.platforms}>
        {IMPORTABLE_PLATFORMS.map((platform) => (
          <li key={platform}>
            <Code>{platform}</Code>
          </li>
        ))}
      </ul>
      <h3>Importing from a URL</h3>
      <Sharing />
    </Help>
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
        ? 'This server has no service account, so set the sharing of the sheet to “Anyone with the link” instead.'
        : 'Ask your administrator for its address.'}
    </p>
  )
}
