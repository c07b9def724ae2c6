import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../display/icon.tsx'
import { useSearchKey } from '../navigation/shortcuts.ts'
import classes from './search-box.module.css'
import { useChangeSearch } from './use-list.ts'

const PAUSE_MS = 250

/** Searches while the user types, debounced. */
export function SearchBox({ label, className }: { label: string; className?: string }) {
  const { search = '' } = useSearch({ strict: false })
  const change = useChangeSearch()
  const [text, setText] = useState(search)
  const sent = useRef(search)
  const input = useRef<HTMLInputElement>(null)
  useSearchKey(input)

  // Also follows back and forward, but never overwrites text that is being typed.
  useEffect(() => {
    if (search !== sent.current) setText(search)
    sent.current = search
  }, [search])

  const send = useDebouncedCallback((value: string) => {
    sent.current = value
    change({ search: value || undefined }, { replace: true })
  }, PAUSE_MS)

  return (
    <TextInput
      ref={input}
      type="search"
      className={className}
      aria-label={label}
      placeholder={label}
      aria-keyshortcuts="/"
      maxLength={200}
      leftSection={<Icon name="search" />}
      rightSection={
        text === '' && (
          <kbd className={classes.key} title="Press / to search">
            /
          </kbd>
        )
      }
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        send(event.currentTarget.value.trim())
      }}
    />
  )
}
