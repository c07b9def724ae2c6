import { useEffect, useState } from 'react'

const SHOWN_MS = 2_000

type Copy = {
  /** The result of the last click, for two seconds. */
  outcome: 'copied' | 'failed' | undefined
  copy: (text: string) => void
}

/** Copies a text, even if the console is served over plain HTTP. */
export function useCopy(onCopied?: () => void): Copy {
  const [outcome, setOutcome] = useState<Copy['outcome']>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  return {
    outcome,
    copy: (text) => {
      void write(text).then(
        (isCopied) => {
          setOutcome(isCopied ? 'copied' : 'failed')
          if (isCopied) onCopied?.()
        },
        () => setOutcome('failed'),
      )
    },
  }
}

async function write(text: string) {
  // Available on HTTPS and localhost only.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return copySelected(text)
  await clipboard.writeText(text)
  return true
}

/** The legacy way: selects the text in a hidden field and copies the selection. */
function copySelected(text: string) {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
