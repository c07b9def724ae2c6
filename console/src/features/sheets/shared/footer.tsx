import { Button, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '../../../api/call.ts'
import { formatNumber } from '../../../ui/display/format.ts'
import classes from './footer.module.css'

type Failure = { error: unknown; first: number; last: number; retry: () => void }

type FooterProps = {
  range: string
  failure: Failure | undefined
  onRetry: () => void
  /** Whether rows can be reached by their number. */
  isNumbered: boolean
  onGo: (number: number) => void
}

/** The range of visible rows, or why there are none, and a field to go to a row. */
export function GridFooter({ range, failure, onRetry, isNumbered, onGo }: FooterProps) {
  return (
    <div className={classes.footer}>
      {failure ? (
        <div className={classes.failure} role="alert">
          <span>
            Rows {formatNumber(failure.first + 1)}–{formatNumber(failure.last + 1)} could not be loaded.{' '}
            {failure.error instanceof ApiError && failure.error.message}
          </span>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              failure.retry()
              onRetry()
            }}
          >
            Try again
          </Button>
        </div>
      ) : (
        <span>{range}</span>
      )}
      {isNumbered && <GoToRow onGo={onGo} />}
    </div>
  )
}

function GoToRow({ onGo }: Pick<FooterProps, 'onGo'>) {
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const number = Number(text.replace(/\D/g, ''))
        if (number > 0) onGo(number)
      }}
    >
      <TextInput
        className={classes.go}
        size="xs"
        inputMode="numeric"
        autoComplete="off"
        aria-label="Go to row"
        placeholder="Go to row"
        maxLength={12}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  )
}
