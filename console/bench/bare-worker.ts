import { streamXlsxRows } from 'hucre/xlsx'
import { parse } from 'papaparse'

/** Parses a file that is already in memory, and returns the number of rows. */
const PARSERS = {
  csv: async (file: File) => {
    const text = await file.text()
    return () => parse(text, { delimiter: ',' }).data.length
  },
  xlsx: async (file: File) => {
    const bytes = new Uint8Array(await file.arrayBuffer())
    return async () => {
      const rows: unknown[] = []
      for await (const { values } of streamXlsxRows(bytes)) rows.push(values)
      return rows.length
    }
  },
}

addEventListener('message', async ({ data: { file, kind } }: MessageEvent<{ file: File; kind: 'csv' | 'xlsx' }>) => {
  const parseRows = await PARSERS[kind](file)
  const start = performance.now()
  if ((await parseRows()) === 0) throw new Error('Nothing was parsed')
  postMessage(performance.now() - start)
})
