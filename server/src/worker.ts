import { type ResourceLimits, Worker } from 'node:worker_threads'

/**
 * Workers run from the build, also under the tests, which run everything else from its sources and bring the build up to
 * date first (`testing/build.ts`): a worker thread of Node 20 reads no TypeScript.
 */
const BUILD = new URL('../dist/', import.meta.url)

type Options = { data: unknown; resourceLimits?: ResourceLimits }

/** Starts `<name>.worker.ts`. It is given neither the settings nor the secrets of the environment. */
export function startWorker(name: string, { data, resourceLimits }: Options) {
  return new Worker(new URL(`${name}.worker.js`, BUILD), { workerData: data, resourceLimits, env: {}, execArgv: [] })
}
