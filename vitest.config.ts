import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests read the sources of our own packages, never a build that may be stale. */
const resolve = { conditions: ['watchdesk-source', 'node'] }

export default defineConfig({
  test: {
    // Many of them wait: for a lease to run out, a time-out, a start. Left alone, two cores would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', ['json', { outputFile: 'test-results/unit.json' }]],
    projects: [
      { resolve, ssr: { resolve }, test: { name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      { resolve, ssr: { resolve }, test: { name: 'console', include: ['console/src/**/*.test.ts'] } },
      {
        resolve,
        ssr: { resolve },
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          globalSetup: ['server/src/testing/build.ts', 'server/src/testing/postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'start', include: ['e2e/*.test.ts'], testTimeout: 400_000, hookTimeout: 60_000 } },
    ],
  },
})
