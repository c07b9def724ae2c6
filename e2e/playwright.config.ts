import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

const isRoot = process.getuid?.() === 0

/** Chromium only uses the last such flag, so Playwright's own values are repeated. */
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
  // Chromium opens two hidden pages for its address bar with every window, which take a third of the total time.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  // Chromium keeps a spare process in every context, which is never used.
  'SpareRendererForSitePerProcess',
]

/** The slow files run with `npm run test:all`, and with `npx playwright test <name>.complete`. */
const isComplete = Boolean(process.env.TEST_ALL) || process.argv.some((argument) => argument.includes('.complete'))

const COMPLETE = isComplete ? [] : ['*.complete.spec.ts']

export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'gallery', testMatch: 'components/gallery.setup.ts' },
    {
      name: 'components',
      testMatch: 'components/*.spec.ts',
      testIgnore: COMPLETE,
      dependencies: ['gallery'],
      workers: availableParallelism(),
    },
    { name: 'journeys', testMatch: '*.spec.ts', testIgnore: ['components/**', ...COMPLETE] },
  ],
  outputDir: '../test-results/journeys.files',
  fullyParallel: true,
  // Journeys wait for a server. Each worker starts its own, so more of them take longer.
  workers: availableParallelism() + 1,
  // What never happens fails all the same; what is slow on a busy machine does not.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: [['list'], ['./browser-reporter.ts']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // Recording a trace of every test is too expensive: `--trace on` records that of a test which failed.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        // Chromium's sandbox does not work as root.
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A host name that browsers do not treat as secure over plain HTTP, unlike localhost.
        '--host-resolver-rules=MAP watchdesk.test 127.0.0.1',
        `--disable-features=${DISABLED_FEATURES.join()}`,
      ],
    },
  },
})
