import { LENGTH } from '@watchdesk/contract/limits'
import { type KeyboardEvent, useRef } from 'react'
import type { Move } from './cells.ts'
import classes from './editor.module.css'

export type EditorProps = {
  label: string
  /** The text of the cell. */
  text: string
  /** Typing replaces the text, and arrow keys end the edit. */
  isTyped: boolean
  /** Without text, the cell stays as it is. */
  onFinish: (text: string | undefined, move: Move) => void
}

const ARROWS: Record<string, Move> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }

/** The keys that end an edit, and where they move. */
export function moveFor({ key, shiftKey }: KeyboardEvent, isTyped: boolean): { move: Move } | undefined {
  if (key === 'Enter') return { move: shiftKey ? 'up' : 'down' }
  if (key === 'Tab') return { move: shiftKey ? 'previous' : 'next' }
  return isTyped && Object.hasOwn(ARROWS, key) ? { move: ARROWS[key] } : undefined
}

/** The text of a cell, in place. */
export function TextEditor({ label, text, isTyped, onFinish }: EditorProps) {
  const isFinished = useRef(false)

  function end(value: string | undefined, move: Move) {
    if (isFinished.current) return
    isFinished.current = true
    onFinish(value, move)
  }

  function keyDown(event: KeyboardEvent<HTMLInputElement>) {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const target = moveFor(event, isTyped)
    if (!target && event.key !== 'Escape') return
    event.preventDefault()
    if (target) end(event.currentTarget.value, target.move)
    else end(undefined, undefined)
  }

  return (
    <input
      className={classes.input}
      type="text"
      inputMode="url"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      // biome-ignore lint/a11y/noAutofocus: a person has just started to edit this cell
      autoFocus
      aria-label={label}
      maxLength={LENGTH.link}
      defaultValue={isTyped ? '' : text}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={keyDown}
      onBlur={(event) => end(event.currentTarget.value, undefined)}
    />
  )
}
