import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/dates/styles.layer.css'
import { DatePicker } from '@mantine/dates'
import classes from './calendar.module.css'

/** Days are `YYYY-MM-DD`, or an empty string. */
export type CalendarProps = { day: string; onPick: (day: string) => void }

const ARIA_LABELS = {
  monthLevelControl: 'Choose a month',
  yearLevelControl: 'Choose a year',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
}

export function Calendar({ day, onPick }: CalendarProps) {
  const chosen = day || null
  const first = chosen ?? today()
  return (
    <DatePicker
      value={chosen}
      defaultDate={first}
      onChange={(picked) => picked && onPick(picked)}
      // Focus starts on a day, not on the arrows above.
      getDayProps={(date) => (date === first ? { 'data-autofocus': true } : {})}
      ariaLabels={ARIA_LABELS}
      highlightToday
      classNames={{ day: classes.day }}
    />
  )
}

function today() {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
