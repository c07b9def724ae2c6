import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../../ui/display/icon.tsx'
import { webLink } from '../../../ui/display/web-link.ts'
import classes from './sheet-link.module.css'

const SPREADSHEET = 'https://docs.google.com/spreadsheets/d/'

/** Links to a sheet by its address or id: our own open here, others in a new tab. Anything else is shown as text. */
export function SheetLink({ sheet, children = 'Open the sheet' }: { sheet: string; children?: ReactNode }) {
  const id = ownSheet(sheet)
  if (id !== undefined) {
    return (
      <Link className={classes.link} to="/sheets/$id" params={{ id }}>
        {children}
      </Link>
    )
  }
  const href = webLink(sheet) ?? spreadsheet(sheet)
  if (href === undefined) return <span className={classes.text}>{sheet}</span>
  return (
    <a className={classes.link} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon name="external-link" size={14} />
    </a>
  )
}

/** The id of one of our sheets, from the id itself or the address of its page in this console. */
function ownSheet(sheet: string) {
  const text = sheet.trim()
  if (/^\d{1,10}$/.test(text)) return text
  if (!URL.canParse(text, location.href)) return
  const { origin, pathname } = new URL(text, location.href)
  return origin === location.origin ? /^\/sheets\/(\d+)\/?$/.exec(pathname)?.[1] : undefined
}

/** Spreadsheet ids are long. */
function spreadsheet(id: string) {
  return /^[\w-]{25,}$/.test(id.trim()) ? SPREADSHEET + id.trim() : undefined
}
