import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import-messages'
import type { Counts, FromWorker, Outcome, Parsed, PreviewRow, ToWorker } from './read/messages.ts'

/** A file made to keep its reader busy for ever ends here. The worker reports far more often. */
const SILENCE_MS = 30_000

export type ReadingState =
  | { phase: 'reading'; part: number | undefined; records: number }
  | { phase: 'checking'; part: number; parsed: Parsed }
  | { phase: 'read'; parsed: Parsed; counts: Counts }
  | { phase: 'unreadable'; message: string; reason: string | undefined }

/** A file that a worker of its own reads and keeps. */
export type Reading = {
  file: File
  rows: (outcome: Outcome | undefined, from: number, to: number) => Promise<PreviewRow[]>
  /** What is sent to import it. */
  body: (email: string) => Promise<Blob>
  /** Ends the worker, whatever it is doing. */
  close: () => void
}

export function openFile(file: File, onChange: (state: ReadingState) => void): Reading {
  const worker = new Worker(new URL('./read/worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (answer: never) => void>()
  let questions = 0
  let parsed: Parsed = { count: 0, notes: [] }
  let deadline = setTimeout(giveUp, SILENCE_MS)

  let isOpen = true

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    // What was under way when it was closed.
    if (!isOpen) return
    if (data.tell === 'answer') return answered(data.id, data.answer)
    clearTimeout(deadline)
    if (data.tell === 'parsed') parsed = data.parsed
    const state = stateOf(data)
    if (state.phase === 'unreadable') close()
    else if (state.phase !== 'read') deadline = setTimeout(giveUp, SILENCE_MS)
    onChange(state)
  })
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    fail()
  })
  tell({ file })
  onChange({ phase: 'reading', part: 0, records: 0 })

  function stateOf(message: Exclude<FromWorker, { tell: 'answer' }>): ReadingState {
    switch (message.tell) {
      case 'progress':
        return { phase: 'reading', part: message.part, records: message.records }
      case 'parsed':
        return { phase: 'checking', part: 0, parsed }
      case 'checking':
        return { phase: 'checking', part: message.part, parsed }
      case 'checked':
        return { phase: 'read', parsed, counts: message.counts }
      case 'unreadable':
        return { phase: 'unreadable', message: message.message, reason: message.reason }
    }
  }

  function answered(id: number, answer: PreviewRow[] | Blob) {
    waiting.get(id)?.(answer as never)
    waiting.delete(id)
  }

  function ask<Answer>(question: (id: number) => ToWorker) {
    return new Promise<Answer>((resolve) => {
      questions += 1
      waiting.set(questions, resolve)
      tell(question(questions))
    })
  }

  function tell(message: ToWorker) {
    worker.postMessage(message)
  }

  function giveUp() {
    fail('It took too long.')
  }

  function fail(reason?: string) {
    close()
    onChange({ phase: 'unreadable', message: SOURCE_IMPORT_MESSAGES.reading_failed, reason })
  }

  function close() {
    isOpen = false
    clearTimeout(deadline)
    worker.terminate()
  }

  return {
    file,
    rows: (outcome, from, to) => ask((id) => ({ ask: 'rows', id, outcome, from, to })),
    body: (email) => ask((id) => ({ ask: 'body', id, email })),
    close,
  }
}
