import '@mantine/core/styles/Popover.layer.css'
import { Popover, TextInput, UnstyledButton } from '@mantine/core'
import { dayError } from '@watchdesk/contract/day'
import { type ComponentType, useState } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import { toastError } from '../../ui/feedback/toast.tsx'
import type { CalendarProps } from './calendar.tsx'
import { dayPatterns, parseDay, readDay } from './day.ts'
import classes from './day-field.module.css'

type DayFieldProps = {
  label: string
  required?: boolean
  value?: string
  onChange: (day: string) => void
  error?: string
  /** A warning for days that are valid but unusual. */
  warning?: (day: string) => string | undefined
  /** What happens on a valid day. */
  hint?: (day: string) => string | undefined
}

const PATTERNS = dayPatterns()

/** A day, typed in the format of the locale or picked in a calendar, which is loaded on demand. */
export function DayField({ label, value = '', onChange, error, warning, hint, ...field }: DayFieldProps) {
  const [Calendar, setCalendar] = useState<ComponentType<CalendarProps>>()
  const [isOpen, setOpen] = useState(false)
  const [isLeft, setLeft] = useState(true)
  const day = parseDay(value)
  const warned = isLeft && day !== undefined ? warning?.(day) : undefined
  const wrong = isLeft && value.trim() !== '' ? dayError(`${readDay(value) ?? value}T00:00:00`) : undefined

  async function open() {
    try {
      const { Calendar: loaded } = await loadCalendar()
      setCalendar(() => loaded)
      setOpen(true)
    } catch (failure) {
      toastError(failure)
    }
  }

  const picker = (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.open}
          aria-label={`Choose ${label.toLowerCase()}`}
          title="Choose in a calendar"
          onClick={() => (isOpen ? setOpen(false) : void open())}
          onMouseEnter={() => void loadCalendar().catch(() => {})}
          onFocus={() => void loadCalendar().catch(() => {})}
        >
          <Icon name="calendar" />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        {Calendar && (
          <Calendar
            day={day ?? ''}
            onPick={(picked) => {
              onChange(picked)
              setOpen(false)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )

  return (
    <TextInput
      {...field}
      label={label}
      placeholder={PATTERNS}
      autoComplete="off"
      maxLength={40}
      value={value}
      onChange={(event) => {
        setLeft(false)
        onChange(event.currentTarget.value)
      }}
      onBlur={() => {
        setLeft(true)
        if (day !== undefined && day !== value) onChange(day)
      }}
      // The API's date format is not the form's.
      error={(error ?? wrong)?.replace('YYYY-MM-DDT00:00:00', PATTERNS)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={warned ?? (isLeft && day !== undefined && hint?.(day))}
      descriptionProps={{ className: warned ? classes.warning : classes.hint }}
      rightSection={picker}
    />
  )
}

function loadCalendar() {
  return import('./calendar.tsx')
}
