import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../display/icon.tsx'
import { useSearchKey } from '../navigation/shortcuts.ts'
import classes from './search-box.module.css'
import { useListSearch } from './use-list.ts'

const PAUSE_MS = 250

/** Searches the list as one types, after a short pause. */
export function SearchBox({ label, className }: { label: string; className?: string }) {
  const { search, change } = useListSearch()
  const [text, setText] = useState(search.search ?? '')
  const sent = useRef(search.search ?? '')
  const input = useRef<HTMLInputElement>(null)
  useSearchKey(input)

  // Also follows back and forward, but never overwrites what is being typed.
  useEffect(() => {
    const next = search.search ?? ''
    if (next !== sent.current) setText(next)
    sent.current = next
  }, [search.search])

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
