import type { FromWorker } from '../src/features/source-import/read/messages.ts'

/** Milliseconds until a worker has read the file: ours from choosing it, the bare one from having it as a string. */
async function measure(kind: 'ours' | 'bare', file: File) {
  const worker =
    kind === 'ours'
      ? new Worker(new URL('../src/features/source-import/read/worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL('./bare-worker.ts', import.meta.url), { type: 'module' })
  const start = performance.now()
  worker.postMessage({ file })
  const milliseconds = await new Promise<number>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker | number>) => {
      if (typeof data === 'number') resolve(data)
      else if (data.tell === 'parsed') resolve(performance.now() - start)
      else if (data.tell === 'unreadable') reject(new Error(data.message))
    })
  })
  worker.terminate()
  return milliseconds
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
      times.bare.push(await measure('bare', file))
      times.ours.push(await measure('ours', file))
    }
    return { bytes: file.size, ...times }
  },
})
