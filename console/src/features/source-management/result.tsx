import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { FailureText } from '../../ui/form/action-form.tsx'
import { RecordedOperation } from '../operations/shared/operation-links.tsx'
import { SheetLink } from '../sheets/shared/sheet-link.tsx'
import classes from './result.module.css'
import type { Exported, Imported, Outcome } from './transfer.ts'

/** A red or green message, shown until the next action. */
export function Result({ outcome }: { outcome: Outcome }) {
  if ('failure' in outcome) return <FailureText failure={outcome.failure} />
  return 'imported' in outcome ? <ImportResult result={outcome.imported} /> : <ExportResult result={outcome.exported} />
}

function ImportResult({ result }: { result: Imported }) {
  const { platform, import_status: status, skipped_count = 0, skipped_rows = [] } = result
  const sheet = result.sheet_url ?? result.sheet_id
  if (status === 'FAILED') return <FailureText failure={{ text: `The import of ${platform} sources failed.` }} />
  return (
    <div className={classes.result}>
      <div className={classes.result} role="status">
        <p className={classes.line}>
          <Icon name="check" />
          <span>
            {importText(result)} {sheet && <SheetLink sheet={sheet}>Open the sheet</SheetLink>}
          </span>
        </p>
        {skipped_rows.length > 0 && (
          <div className={classes.skipped}>
            <h2 className={classes.heading}>{formatCount(skipped_count, 'row')} skipped</h2>
            <ul className={classes.rows}>
              {skipped_rows.map(({ row, reason }) => (
                <li key={row}>
                  <span className={classes.row}>Row {formatNumber(row)}</span> {reason}
                </li>
              ))}
            </ul>
            {skipped_count > skipped_rows.length && (
              <p className={classes.more}>… and {formatNumber(skipped_count - skipped_rows.length)} more</p>
            )}
          </div>
        )}
      </div>
      <RecordedOperation {...result} />
    </div>
  )
}

/** Other backends may have other statuses, and no counts. */
function importText(result: Imported) {
  const { platform, import_status: status } = result
  const texts: Record<string, string> = {
    SUCCESS: `${platform} sources imported.`,
    PARTIAL: `${platform} sources partly imported.`,
  }
  return `${texts[status] ?? `Import of ${platform} sources: ${status}.`}${countsOf(result)}`
}

function countsOf({ created_count, updated_count, unchanged_count, skipped_count }: Imported) {
  const counts = { added: created_count, updated: updated_count, unchanged: unchanged_count, skipped: skipped_count }
  const parts = Object.entries(counts).flatMap(([word, count]) =>
    count === undefined ? [] : [`${formatNumber(count)} ${word}`],
  )
  return parts.length > 0 ? ` ${parts.join(', ')}.` : ''
}

function ExportResult({ result }: { result: Exported }) {
  const { platform, export_status: status, created_sheet_url: sheet } = result
  if (status === 'FAILED') return <FailureText failure={{ text: `The export of ${platform} sources failed.` }} />
  return (
    <div className={classes.result}>
      <p className={classes.line} role="status">
        <Icon name="check" />
        <span>
          {exportText(result)} {sheet && <SheetLink sheet={sheet}>Open the sheet</SheetLink>}
        </span>
      </p>
      <RecordedOperation import_id={result.import_id} what="export" />
    </div>
  )
}

function exportText({ platform, export_status: status, exported_count }: Exported) {
  if (status !== 'SUCCESS') return `Export of ${platform} sources: ${status}.`
  const sources =
    exported_count === undefined ? `${platform} sources` : formatCount(exported_count, `${platform} source`)
  return `${sources} exported.`
}
