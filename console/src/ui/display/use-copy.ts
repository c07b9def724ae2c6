import { useEffect, useState } from 'react'

const SHOWN_MS = 2_000

type Copy = {
  /** What came of the last click, for two seconds. */
  outcome: 'copied' | 'failed' | undefined
  copy: (text: string) => void
}

/** Copies a text, also where the console is served over plain http. */
export function useCopy(): Copy {
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
        (isCopied) => setOutcome(isCopied ? 'copied' : 'failed'),
        () => setOutcome('failed'),
      )
    },
  }
}

async function write(text: string) {
  // Browsers offer it on https and localhost alone.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return copySelected(text)
  await clipboard.writeText(text)
  return true
}

/** The older way: selects the text in a field that nobody sees, and copies the selection. */
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
