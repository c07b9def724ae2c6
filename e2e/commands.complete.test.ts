import { sweepCommands } from './commands.ts'

sweepCommands(3)
