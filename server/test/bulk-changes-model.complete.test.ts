import { compareBulkChanges } from './helpers/bulk-changes-model.ts'

/** `npm run crash` runs 300. */
compareBulkChanges(Number(process.env.CRASH_RUNS ?? 60))
