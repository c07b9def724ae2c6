import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../display/format.ts'
import { Icon } from '../display/icon.tsx'
import { pageNumbers } from './page-numbers.ts'
import classes from './pagination.module.css'
import type { Pages } from './use-list.ts'

export function Pagination({ page, size, total, prefetch }: Pages) {
  const count = Math.ceil(total / size)
  const first = (page - 1) * size + 1
  const range = `${formatNumber(first)}–${formatNumber(Math.min(total, page * size))} of ${formatNumber(total)}`

  function to(target: number, label: string, content: ReactNode) {
    const isOutOfRange = target < 1 || target > count
    if (isOutOfRange) {
      return (
        <span className={classes.page} data-disabled>
          {content}
        </span>
      )
    }
    return (
      <Link
        to="."
        search={(search: object) => ({ ...search, page: target > 1 ? target : undefined })}
        state
        className={classes.page}
        aria-label={label}
        // Marks the link as current only if the whole address matches.
        activeOptions={{ exact: true }}
        preload={false}
        onMouseEnter={() => prefetch(target)}
        onFocus={() => prefetch(target)}
      >
        {content}
      </Link>
    )
  }

  return (
    <div className={classes.pagination}>
      <span className={classes.range}>{total === 0 ? '0 of 0' : range}</span>
      {count > 1 && (
        <nav aria-label="Pages">
          <ul className={classes.pages}>
            <li>{to(page - 1, 'Previous page', <Icon name="chevron-left" size={16} />)}</li>
            {pageNumbers(page, count).map((number, index, all) =>
              number === null ? (
                <li key={`after ${all[index - 1]}`} className={classes.gap} aria-hidden="true">
                  …
                </li>
              ) : (
                <li key={number}>{to(number, `Page ${number}`, formatNumber(number))}</li>
              ),
            )}
            <li>{to(page + 1, 'Next page', <Icon name="chevron-right" size={16} />)}</li>
          </ul>
        </nav>
      )}
    </div>
  )
}
