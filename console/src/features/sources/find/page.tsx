import '@mantine/core/styles/Input.layer.css'
import { Button, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FOUND_AT_ONCE } from '@watchdesk/contract/limits'
import { type DragEvent, type SubmitEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { formatBytes, formatCount, formatNumber } from '../../../ui/display/format.ts'
import { Icon } from '../../../ui/display/icon.tsx'
import { Loading } from '../../../ui/feedback/loading.tsx'
import { FailureText } from '../../../ui/form/action-form.tsx'
import { useRestoreFocus } from '../../../ui/form/use-restore-focus.ts'
import { useChangeSearch } from '../../../ui/list/use-list.ts'
import { linkTo } from '../../../ui/navigation/back-link.ts'
import { Page } from '../../../ui/page/page.tsx'
import { useSourcesList } from '../back-links.ts'
import { addressesIn } from './addresses.ts'
import { summaryOf } from './outcomes.ts'
import classes from './page.module.css'
import { FindResult } from './result.tsx'
import { useFind } from './use-find.ts'

const LARGEST_BYTES = 8 * 1024 ** 2

export function FindSourcesPage() {
  const list = useSourcesList()
  const { text, found, pending, failure, find, setText, clear } = useFind()
  const change = useChangeSearch()
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const submitButton = useRef<HTMLButtonElement>(null)
  const entered = useDeferredValue(text)
  const count = useMemo(() => addressesIn(entered).length, [entered])
  const tooMany = count > FOUND_AT_ONCE && tooManyText(count)
  useRestoreFocus(pending, submitButton)

  function write(next: string) {
    setProblem(undefined)
    setText(next)
  }

  async function readFile(file: File) {
    setProblem(undefined)
    if (!/\.(txt|csv)$/i.test(file.name)) return setProblem('File must be of type txt or csv.')
    if (file.size > LARGEST_BYTES) return setProblem(tooLargeText(file.size))
    try {
      const { readAddressFile } = await import('./read-file.ts')
      write((await readAddressFile(file)).trim())
      field.current?.focus()
    } catch {
      setProblem(`${file.name} could not be read as text.`)
    }
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const addresses = addressesIn(text)
    if (addresses.length === 0 || addresses.length > FOUND_AT_ONCE) {
      setProblem(addresses.length === 0 ? 'Enter at least one address.' : tooManyText(addresses.length))
      field.current?.focus()
      return
    }
    // The last outcome and page are not of these addresses.
    change({ outcome: undefined }, { replace: true })
    await find(addresses)
  }

  return (
    <Page
      title="Find addresses"
      summary="Check which addresses are monitored, and add the missing ones"
      above={<Link {...linkTo(list)}>Sources</Link>}
    >
      <form className={classes.form} noValidate aria-busy={pending} onSubmit={(event) => void submit(event)}>
        <Textarea
          ref={field}
          label="Addresses"
          description={`One per line, or separated by commas, semicolons or tabs. At most ${formatNumber(FOUND_AT_ONCE)}. You can also drop a .txt or .csv file here.`}
          rows={8}
          spellCheck={false}
          autoCapitalize="none"
          placeholder={'https://t.me/example\nfacebook.com/example'}
          error={problem ?? tooMany}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onDragOver={(event: DragEvent) => event.preventDefault()}
          onDrop={(event: DragEvent) => {
            const [file] = event.dataTransfer.files
            if (!file) return
            event.preventDefault()
            void readFile(file)
          }}
        />
        <div className={classes.bar}>
          <span className={classes.count}>{count > 0 && formatCount(count, 'address', 'addresses')}</span>
          <FileButton onFile={(file) => void readFile(file)} />
          {text !== '' && (
            <Button
              variant="default"
              onClick={() => {
                setProblem(undefined)
                clear()
                field.current?.focus()
              }}
            >
              Clear
            </Button>
          )}
          {pending ? (
            <Loading label="Finding" />
          ) : (
            <Button ref={submitButton} type="submit">
              Find
            </Button>
          )}
        </div>
        {failure && <FailureText failure={failure} />}
      </form>
      {/* Always there, because screen readers announce only changes of a region that exists. */}
      <p className="visually-hidden" role="status">
        {found && !pending && summaryOf(found)}
      </p>
      {found && (
        <FindResult found={found} isOutdated={pending} onAdded={() => find(found.map(({ written }) => written))} />
      )}
    </Page>
  )
}

function tooManyText(count: number) {
  return `These are ${formatNumber(count)} addresses. At most ${formatNumber(FOUND_AT_ONCE)} can be looked up at once.`
}

function tooLargeText(bytes: number) {
  return `The file has ${formatBytes(bytes)}, which is more than ${formatNumber(FOUND_AT_ONCE)} addresses need. Split it, or use Source import.`
}

function FileButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".txt,.csv"
        hidden
        aria-label="File with addresses"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Otherwise `change` would not fire when the same, edited file is chosen again.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <Button variant="default" leftSection={<Icon name="upload" />} onClick={() => input.current?.click()}>
        Open a file
      </Button>
    </>
  )
}
