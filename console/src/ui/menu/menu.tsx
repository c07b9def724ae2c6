import { UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from '../display/icon.tsx'
import classes from './menu.module.css'

/** For the button that opens the menu. */
type Target = {
  id: string
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onMouseDown: (event: MouseEvent) => void
  onClick: () => void
}

type MenuProps = {
  target: (props: Target) => ReactNode
  /** Sets its width. */
  className?: string | undefined
  children: ReactNode
}

/** A button with a menu below it, used with the keyboard as in https://www.w3.org/WAI/ARIA/apg/patterns/menu-button. */
export function Menu({ target, className = '', children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()

  function close() {
    document.getElementById(id)?.focus({ preventScroll: true })
    setOpen(false)
  }

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Tab continues after the button.
    if (event.key === 'Escape' || event.key === 'Tab') close()
    else if (!moveFocus(event)) return
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={place} className={classes.place}>
      {target({
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        // Safari does not focus a clicked button: the menu would lose the focus.
        onMouseDown: (event) => isOpen && event.preventDefault(),
        onClick: () => (isOpen ? close() : setOpen(true)),
      })}
      {isOpen && (
        <div
          ref={show}
          role="menu"
          aria-labelledby={id}
          tabIndex={-1}
          className={`${classes.menu} ${className}`}
          onKeyDown={onKeyDown}
          onClick={({ target }) => itemsOf(place.current).some((item) => item.contains(target as Node)) && close()}
        >
          {children}
        </div>
      )}
    </div>
  )
}

function itemsOf(menu: HTMLElement | null) {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
}

/** Where there is room for it, with the focus on its first item. */
function show(menu: HTMLElement | null) {
  if (!menu) return
  const { left, bottom } = menu.getBoundingClientRect()
  menu.toggleAttribute('data-to-the-right', left < 0)
  menu.toggleAttribute('data-above', bottom > window.innerHeight)
  itemsOf(menu)[0]?.focus({ preventScroll: true })
}

/** Returns whether the key means anything. */
function moveFocus({ key, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(currentTarget)
  const current = items.indexOf(document.activeElement as HTMLElement)
  const following = [...items.slice(current + 1), ...items.slice(0, current + 1)]
  const isTyped = /^\S$/u.test(key) && !ctrlKey && !metaKey && !altKey
  const byKey: Record<string, HTMLElement | undefined> = {
    ArrowDown: following[0],
    ArrowUp: items.at(Math.max(current, 0) - 1),
    Home: items[0],
    End: items.at(-1),
  }
  const next = isTyped ? following.find((item) => startsWith(item, key)) : byKey[key]
  next?.focus()
  return next !== undefined
}

function startsWith({ textContent }: HTMLElement, letter: string) {
  return textContent.toLowerCase().startsWith(letter.toLowerCase())
}

type MenuItemProps = {
  icon?: IconName
  onClick?: () => void
  /** Of a page to open in a new tab. */
  href?: string
  /** For one of several choices. */
  isChosen?: boolean
  children: ReactNode
}

export function MenuItem({ icon, onClick, href, isChosen, children }: MenuItemProps) {
  const content = (
    <>
      {isChosen !== undefined && <span className={classes.dot} data-chosen={isChosen || undefined} />}
      {icon && <Icon name={icon} />}
      <span className={classes.text}>{children}</span>
      {href && <Icon name="external-link" size={16} />}
    </>
  )
  const common = { className: classes.item, tabIndex: -1 }
  if (href) {
    return (
      <a {...common} role="menuitem" href={href} target="_blank" rel="noopener" title="Opens in a new tab">
        {content}
      </a>
    )
  }
  return (
    <UnstyledButton
      {...common}
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      onClick={onClick}
    >
      {content}
    </UnstyledButton>
  )
}
