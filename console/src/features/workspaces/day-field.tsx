import '@mantine/core/styles/Popover.layer.css'
import { Popover, TextInput, UnstyledButton } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { toastError } from '../../ui/toast.tsx'
import type { CalendarProps } from './calendar.tsx'
import classes from './day-field.module.css'

type DayFieldProps = {
  label: string
  required?: boolean
  value?: string
  onChange: (day: string) => void
  error?: string
}

/** A day, typed as `YYYY-MM-DD` or picked in a calendar, which is only loaded when someone reaches for it. */
export function DayField({ label, value = '', onChange, error, ...field }: DayFieldProps) {
  const [Calendar, setCalendar] = useState<ComponentType<CalendarProps>>()
  const [isOpen, setOpen] = useState(false)

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
            day={value}
            onPick={(day) => {
              onChange(day)
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
      placeholder="YYYY-MM-DD"
      autoComplete="off"
      inputMode="numeric"
      maxLength={10}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      // The wire's own way to write a day is not the form's.
      error={error?.replace('YYYY-MM-DDT00:00:00', 'YYYY-MM-DD')}
      rightSection={picker}
    />
  )
}

function loadCalendar() {
  return import('./calendar.tsx')
}
