import { readCommandLine } from './command-line.mjs'
import { setup } from './setup.mjs'

readCommandLine('start')
setup({ toDevelop: false })
// In the same process, so that signals reach the server directly.
await import('../server/dist/main.js')
