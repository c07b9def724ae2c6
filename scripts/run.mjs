import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setup } from './setup.mjs'

// node scripts/run.mjs <built module> [arguments]: set up, then run it as if it had been called directly.
const [node, , module, ...args] = process.argv
setup()
process.argv = [node, join(root, module), ...args]
await import(pathToFileURL(join(root, module)).href)
