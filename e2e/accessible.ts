import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const NOTHING = 'undefined'
/** Something that has just been opened starts to fade in a frame or two later. */
const QUIET_FRAMES = 5

/** Axe finds no violations in the current page, in light and in dark. */
export async function expectAccessible(page: Page) {
  await expectNothing(page)
  const [scheme, other] = (await isDark(page)) ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await use(page, other)
  // The color scheme changes nothing but colors.
  await expectNothing(page, ['color-contrast'])
  await use(page, scheme)
}

function isDark(page: Page) {
  return page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
}

async function use(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}

async function expectNothing(page: Page, rules?: string[]) {
  await page.evaluate(untilNothingFades, QUIET_FRAMES)
  // Axe is half a megabyte: it is injected once per document instead of twice per check.
  const isInjected = await page.evaluate(() => 'axe' in window)
  // Only violations, only our own frames and no extra page: the defaults take twice the time.
  const axe = new AxeBuilder({ page, ...(isInjected && { axeSource: NOTHING }) }).setLegacyMode(true).options({
    resultTypes: ['violations'],
    iframes: false,
    ...(rules && { runOnly: rules }),
  })
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
}

/** A color that still fades would be measured half-way. Runs in the page. */
async function untilNothingFades(frames: number) {
  for (let quiet = 0; quiet < frames; ) {
    await new Promise(requestAnimationFrame)
    const isFading = document.getAnimations().some(({ effect }) => effect?.getTiming().iterations !== Infinity)
    quiet = isFading ? 0 : quiet + 1
  }
}
