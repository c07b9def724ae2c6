import { compareImports } from './helpers/imports-model.ts'

/** `npm run crash` runs 300. */
compareImports(Number(process.env.CRASH_RUNS ?? 20))
