import { spawn } from 'node:child_process'
import { readCommandLine } from './command-line.mjs'
import { root, setup, tool } from './setup.mjs'

// The compiler rebuilds on change, Node restarts the server, Vite reloads the console.
readCommandLine('dev')
const port = process.env.PORT || '3000'
if (!/^[1-9]\d*$/.test(port)) {
  console.error(
    `PORT must be a fixed port for npm run dev, because the console forwards its calls to it; it is ${port}.`,
  )
  process.exit(1)
}
setup()
const watch = ['--watch', '--watch-path=server/dist', '--watch-path=contract/dist', '--watch-preserve-output']
const commands = [
  tool('typescript/bin/tsc', '-b', 'contract', 'server', '--watch', '--preserveWatchOutput'),
  [process.execPath, [...watch, 'server/dist/main.js']],
  tool('vite/bin/vite.js', 'console'),
]
const children = commands.map(([command, args]) => spawn(command, args, { cwd: root, stdio: 'inherit' }))

let stopping = false
function stop() {
  if (stopping) return
  stopping = true
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
