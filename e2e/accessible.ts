import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** The minified script: the browser parses it in every document. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Only violations, and only in our own frames: the defaults take twice the time. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], iframes: false }
/** The rules about colors, which take half of the time. */
const COLORS: RunOptions = { ...OPTIONS, runOnly: ['color-contrast', 'link-in-text-block'] }
/** Something that has just been opened starts to fade in a frame or two later. */
const QUIET_FRAMES = 5
export const PHONE = { width: 390, height: 844 }

/**
 * Nothing is wider than the window and axe finds no violations, as the page is. If a dialog is open, only in the dialog:
 * screens.spec.ts checks the screens themselves. A part of a page takes less time.
 */
export function expectAccessible(checked: Page | Locator) {
  return 'page' in checked ? expectNothing(checked.page(), OPTIONS, checked) : expectNothing(checked, OPTIONS)
}

/** On a phone too, and in the other scheme, which changes nothing but the colors. */
export async function expectAccessibleInBothSchemes(page: Page) {
  const size = page.viewportSize() ?? PHONE
  for (const viewport of [size, PHONE]) {
    await page.setViewportSize(viewport)
    await expectNothing(page, OPTIONS)
    await use(page, 'dark')
    await expectNothing(page, COLORS)
    await use(page, 'light')
  }
  await page.setViewportSize(size)
}

async function use(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}

async function expectNothing(page: Page, options: RunOptions, part?: Locator) {
  await page.evaluate(untilNothingFades, QUIET_FRAMES)
  await expectFits(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const root = part ? await part.elementHandle() : null
  expect(await page.evaluate(findViolations, { options, root }), where(page)).toEqual([])
}

/** Nothing is wider than the window. */
export async function expectFits(page: Page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, where(page)).toBeLessThanOrEqual(0)
}

function where(page: Page) {
  return `${page.url()} at ${page.viewportSize()?.width} px`
}

/** Runs in the page. */
async function findViolations({ options, root }: { options: RunOptions; root: Node | null }) {
  const dialogs = document.querySelectorAll('[role=dialog][aria-modal=true]')
  const { violations } = await window.axe.run(dialogs.length > 0 ? dialogs : (root ?? document), options)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

/** A color that still fades would be measured half-way. Runs in the page. */
async function untilNothingFades(frames: number) {
  for (let quiet = 0; quiet < frames; ) {
    await new Promise(requestAnimationFrame)
    const isFading = document.getAnimations().some(({ effect }) => effect?.getTiming().iterations !== Infinity)
    quiet = isFading ? 0 : quiet + 1
  }
}
