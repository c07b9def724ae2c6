/** `npm run bench -- --short` runs every benchmark on little data, only to check that it works. */
export const IS_SHORT = process.env.BENCH_SHORT === '1'

/** A number that the environment can override. */
export function setting(name: string, full: number, short: number) {
  return Number(process.env[name] ?? (IS_SHORT ? short : full))
}
