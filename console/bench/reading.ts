import type { SourceFileWorker } from '../src/features/source-import/worker/worker.ts'
import { connectWorker } from '../src/ui/file-reader/connect-worker.ts'

/** Milliseconds until a worker has read the file: ours starting with the chosen file, the baseline with a string. */
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
  bare: (file: File) =>
    new Promise<number>((resolve) => {
      const worker = new Worker(new URL('./bare-worker.ts', import.meta.url), { type: 'module' })
      worker.addEventListener('message', ({ data }: MessageEvent<number>) => {
        resolve(data)
        worker.terminate()
      })
      worker.postMessage({ file })
    }),
}

function makeFile(rows: number) {
  const lines = Array.from(
    { length: rows },
    (_, index) => `https://t.me/channel_${index},${index % 2 ? 'Україна' : 'Poland'},note ${index}\n`,
  )
  return new File(['source_url,source_country,note\n', ...lines], 'sources.csv')
}

Object.assign(window, {
  bench: async (rows: number, rounds: number) => {
    const file = makeFile(rows)
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await MEASURES.bare(file))
      times.ours.push(await MEASURES.ours(file))
    }
    return { bytes: file.size, ...times }
  },
})
