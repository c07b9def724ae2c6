import { readCommandLine } from './command-line.mjs'
import { setup } from './setup.mjs'

readCommandLine('start')
setup()
// In this very process: signals reach the server without a shell or a parent in between.
await import('../server/dist/main.js')
