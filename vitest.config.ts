import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests read the sources of our own packages, never a build that may be stale. */
const resolve = { conditions: ['watchdesk-source', 'node'] }

/** The slow files run with `npm run test:all`, and with `npx vitest run <name>.complete`. */
const isComplete = Boolean(process.env.TEST_ALL) || process.argv.some((argument) => argument.includes('.complete'))
const COMPLETE = '**/*.complete.test.ts'
const exclude = isComplete ? configDefaults.exclude : [...configDefaults.exclude, COMPLETE]

/**
 * In this order: what takes longest begins first, so that no core waits for one file in the end. Vitest reuses a process
 * only for the next file in line, so the files of a project follow each other.
 */
const PROJECTS = ['start', 'whole server', 'server', 'console']

class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** Only `npm run crash` kills servers this often: `npm run test:all` kills them during jobs and runs. */
const KILLS = ['imports', 'undos', 'bulk-changes'].map((what) => `server/test/faults/killed-${what}.complete.test.ts`)

function server(test: {
  name: string
  include: string[]
  exclude?: string[]
  isolate?: boolean
  testTimeout?: number
}) {
  return {
    resolve,
    ssr: { resolve },
    test: {
      globalSetup: ['server/test/helpers/build.ts', 'server/test/helpers/postgres.ts'],
      // What never happens fails all the same; what is slow on a busy machine does not.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 20_000 } },
      exclude,
      ...test,
    },
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: ByProject },
    // Many of them wait: for a lease to run out, a time-out, a start.
    maxWorkers: availableParallelism() + 2,
    projects: [
      // One process loads the sources once for all files that it runs.
      {
        resolve,
        ssr: { resolve },
        test: {
          name: 'console',
          include: ['{contract,console}/src/**/*.test.ts'],
          exclude,
          isolate: false,
          testTimeout: 120_000,
        },
      },
      server({
        name: 'server',
        include: ['server/{src,test}/**/*.test.ts'],
        exclude: [...exclude, COMPLETE],
        isolate: false,
      }),
      // Many measure the memory and the processor time of their process.
      server({
        name: 'whole server',
        include: [`server/${COMPLETE}`],
        testTimeout: 400_000,
        exclude: process.env.CRASH_RUNS ? exclude : [...exclude, ...KILLS],
      }),
      {
        test: {
          name: 'start',
          include: ['e2e/*.test.ts', 'scripts/*.test.mjs'],
          exclude,
          testTimeout: 400_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
