import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Cell, cellAfter, cellFor, editableAfter, isEditable, type Move } from './cells.ts'
import type { Change, Changed, Column, PreviewRow } from './worker/messages.ts'

/** `isTyped`: typing replaces the text, and arrow keys end it, as in a spreadsheet. */
export type Editing = Cell & { column: Column; isTyped: boolean }

type GridOptions = {
  grid: RefObject<HTMLElement | null>
  total: number
  page: number
  /** The first visible row. */
  first: number
  rowAt: (at: number) => PreviewRow | undefined
  scrollIntoView: (at: number) => void
  /** Scrolls the page to a row. */
  reveal: (at: number) => void
  showWritten: (at: number, column: Column, text: string) => void
  change: (change: Change) => Promise<Changed | undefined>
}

/** The active cell, the one that is edited, and the keys of a spreadsheet. */
export function useGrid({ grid, total, page, first, rowAt, scrollIntoView, reveal, showWritten, change }: GridOptions) {
  const [active, setActive] = useState<Cell>()
  const [editing, setEditing] = useState<Editing>()
  /** Tab leaves the grid until it is used like a spreadsheet, and again after Escape. */
  const isUsed = useRef(false)
  const size = { total, page }

  function activate(cell: Cell) {
    setActive(cell)
    scrollIntoView(cell.at)
    requestAnimationFrame(() => reveal(cell.at))
  }

  function focus() {
    grid.current?.focus({ preventScroll: true })
  }

  function edit(cell: Cell, isTyped = false) {
    const { column } = cell
    if (!isEditable(column) || !rowAt(cell.at)) return
    isUsed.current = true
    activate(cell)
    // At once, so that the key that was pressed goes into the field.
    flushSync(() => setEditing({ ...cell, column, isTyped }))
  }

  function write(cell: Cell, text: string) {
    const row = rowAt(cell.at)
    if (!isEditable(cell.column) || !row || row.written[cell.column] === text.trim()) return
    showWritten(cell.at, cell.column, text.trim())
    void change({ type: 'write', at: cell.at, column: cell.column, text })
  }

  /** Ends the edit. Without text, nothing is written. */
  function finish(text: string | undefined, move: Move) {
    if (!editing) return
    setEditing(undefined)
    if (text !== undefined) write(editing, text)
    if (move !== undefined) activate(cellAfter(editing, move, size))
    focus()
  }

  async function goBack(type: 'undo' | 'redo') {
    const changed = await change({ type })
    if (changed?.first?.at !== undefined) activate({ at: changed.first.at, column: active?.column ?? 'url' })
  }

  function toggleSkip(at: number) {
    const row = rowAt(at)
    if (row) void change({ type: 'skip', at, isSkipped: row.outcome !== 'skipped' })
  }

  function accept(at: number, column: Column) {
    if (rowAt(at)?.suggestions[column] !== undefined) void change({ type: 'accept', at, column })
  }

  /** Whether the key did something. */
  function pressed(event: KeyboardEvent): boolean {
    // If the active cell is out of view, continue from the first visible row.
    const isInView = active && active.at >= first && active.at < first + page + 1
    const cell = isInView ? active : { at: Math.min(first, total - 1), column: active?.column ?? 'url' }
    const isShortcut = event.ctrlKey || event.metaKey
    if (event.altKey) return false
    if (isShortcut && isLetter(event, 'z')) return start(goBack(event.shiftKey ? 'redo' : 'undo'))
    if (isShortcut && isLetter(event, 'y')) return start(goBack('redo'))
    if (event.key === 'Tab') return isUsed.current && tab(cell, event.shiftKey)
    if (event.key === 'Escape') {
      isUsed.current = false
      return false
    }
    const target = cellFor(event.key, isShortcut, cell, size)
    if (target) return start(activate(active && isInView ? target : cell))
    if (isShortcut) return event.key === 'Enter' && isEditable(cell.column) && start(accept(cell.at, cell.column))
    return pressedIn(cell, event.key)
  }

  function pressedIn(cell: Cell, key: string): boolean {
    if (cell.column === 'skip') return (key === 'Enter' || key === ' ') && start(toggleSkip(cell.at))
    if (!isEditable(cell.column)) return false
    if (key === 'Enter' || key === 'F2') return start(edit(cell))
    if (key === 'Delete' || key === 'Backspace') return start(write(cell, ''))
    // Not prevented: the browser types the character into the field that has the focus now. Also starts an IME.
    if (key.length === 1 || key === 'Process' || key === 'Dead') edit(cell, true)
    return false
  }

  function start(_: unknown) {
    isUsed.current = true
    return true
  }

  function tab(cell: Cell, isBack: boolean) {
    const target = editableAfter(cell, isBack, total)
    if (target) activate(target)
    return target !== undefined
  }

  return {
    active,
    editing,
    /** A cell that was clicked: the page does not move under the pointer. */
    activate: (cell: Cell) => {
      isUsed.current = true
      setActive(cell)
      scrollIntoView(cell.at)
    },
    /** Without scrolling, or using the keys of a spreadsheet. */
    show: setActive,
    edit,
    finish,
    toggleSkip,
    accept,
    onKeyDown: (event: KeyboardEvent) => {
      if (!editing && !event.nativeEvent.isComposing && pressed(event)) event.preventDefault()
    },
    onPaste: (event: ClipboardEvent) => {
      if (editing || !active || !isEditable(active.column)) return
      event.preventDefault()
      const text = event.clipboardData.getData('text/plain')
      if (text !== '') void change({ type: 'paste', at: active.at, column: active.column, text })
    },
    onCopy: (event: ClipboardEvent) => {
      const row = active && rowAt(active.at)
      if (editing || !row || !isEditable(active.column)) return
      event.preventDefault()
      event.clipboardData.setData('text/plain', row.written[active.column])
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) isUsed.current = false
    },
  }
}

/** By letter, or by key position if the keyboard layout has another alphabet. */
function isLetter({ key, code }: KeyboardEvent, letter: string) {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`
}
