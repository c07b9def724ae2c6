// Preloaded into the server by tests of codes that change with time: adds the milliseconds in a file to its clock.
import { readFileSync } from 'node:fs'

const now = Date.now
Date.now = () => now() + Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'))
