import { writeXlsx } from 'hucre/xlsx'
import type { SourceFileWorker } from '../src/features/source-import/worker/worker.ts'
import { connectWorker } from '../src/ui/file-reader/connect-worker.ts'

type Kind = 'csv' | 'xlsx'

/** Milliseconds until a worker has read the file: ours starting with the chosen file, the baseline in memory. */
const MEASURES = {
  ours: (file: File) =>
    new Promise<number>((resolve, reject) => {
      const worker = new Worker(new URL('../src/features/source-import/worker/worker.ts', import.meta.url), {
        type: 'module',
      })
      const { call, close } = connectWorker<SourceFileWorker>(worker, reject)
      const start = performance.now()
      const onChange = ({ phase }: { phase: string }) => {
        if (phase === 'invalid') reject(new Error('The file could not be read'))
        if (phase !== 'checking') return
        resolve(performance.now() - start)
        close()
      }
      call('read', file, onChange).then(onChange, () => {})
    }),
  bare: (file: File, kind: Kind) =>
    new Promise<number>((resolve) => {
      const worker = new Worker(new URL('./bare-worker.ts', import.meta.url), { type: 'module' })
      worker.addEventListener('message', ({ data }: MessageEvent<number>) => {
        resolve(data)
        worker.terminate()
      })
      worker.postMessage({ file, kind })
    }),
}

const HEADER = ['source_url', 'source_country', 'note']
const rowOf = (index: number) => [`https://t.me/channel_${index}`, index % 2 ? 'Україна' : 'Poland', `note ${index}`]

const FILES = {
  csv: async (rows: string[][]) => new File([rows.map((row) => `${row.join(',')}\n`).join('')], 'sources.csv'),
  xlsx: async (rows: string[][]) =>
    new File([new Uint8Array(await writeXlsx({ sheets: [{ name: 'Sources', rows }] }))], 'sources.xlsx'),
}

Object.assign(window, {
  bench: async (kind: Kind, rows: number, rounds: number) => {
    const file = await FILES[kind]([HEADER, ...Array.from({ length: rows }, (_, index) => rowOf(index))])
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await MEASURES.bare(file, kind))
      times.ours.push(await MEASURES.ours(file))
    }
    return { bytes: file.size, ...times }
  },
})
