import { readFile } from '../../../ui/read-file/file.ts'
import { Unreadable } from '../../../ui/read-file/unreadable.ts'
import { bodyOf } from './body.ts'
import { checkTable } from './check.ts'
import { collector, type Table } from './collector.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** Reads one file, keeps its records, and answers questions about them. The page ends it when it is done with them. */
let known: (Table & ReturnType<typeof checkTable>) | undefined

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  if ('file' in data) return read(data.file)
  if (!known) return
  const answer = data.ask === 'rows' ? known.slice(data.outcome, data.from, data.to) : bodyOf(known, data.email)
  tell({ tell: 'answer', id: data.id, answer })
})

async function read(file: File) {
  try {
    const rows = await readFile(file, collector, (part, records) => tell({ tell: 'progress', part, records }))
    const table = rows.finish()
    tell({ tell: 'parsed', parsed: { count: table.values.length, notes: table.notes } })
    known = { ...table, ...checkTable(table, (part) => tell({ tell: 'checking', part })) }
    tell({ tell: 'checked', counts: known.counts })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    tell({ tell: 'unreadable', message: error.message, reason: error.reason })
  }
}

function tell(message: FromWorker) {
  postMessage(message)
}
