import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

const isRoot = process.getuid?.() === 0

/** Chromium heeds one such list alone: what Playwright switches off is named again. */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // Two pages of its own for the address bar, which nobody sees, with every window: a third of all time.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  // A process at the ready in every context, for a page that does not come.
  'SpareRendererForSitePerProcess',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/browser',
  fullyParallel: true,
  // Many of them wait for an answer or an animation.
  workers: availableParallelism() + 1,
  // About one test in a thousand hangs in the browser itself when both cores are busy. A second try is told at the end.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: '../test-results/browser.json' }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // A trace of every test costs more than the rare failure is worth.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        // Chromium's sandbox refuses to run as root.
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A name that browsers do not trust over plain http, as they do localhost.
        '--host-resolver-rules=MAP watchdesk.test 127.0.0.1',
        `--disable-features=${DISABLED_FEATURES.join()}`,
      ],
    },
  },
})
