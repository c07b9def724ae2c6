import { readCommandLine } from './command-line.mjs'
import { setup } from './setup.mjs'

// node scripts/run.mjs NAME [arguments]: set up, then run server/src/commands/NAME.ts with them.
const [name, ...args] = process.argv.slice(2)
const { operands, options } = readCommandLine(name, args)
setup({ toDevelop: false })
const { run } = await import(`../server/dist/commands/${name}.js`)
await run(operands, options)
