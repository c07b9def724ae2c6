import { readFile } from '../../../ui/read-file/file.ts'
import { Unreadable } from '../../../ui/read-file/unreadable.ts'
import type { FromWorker } from './messages.ts'
import { storyScan } from './scan.ts'

addEventListener('message', async ({ data }: MessageEvent<File>) => {
  try {
    const scan = await readFile(data, storyScan, (_, rows) => tell({ tell: 'progress', rows }))
    tell({ tell: 'done', scan: scan.result() })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    tell({ tell: 'done', scan: undefined })
  }
})

function tell(message: FromWorker) {
  postMessage(message)
}
