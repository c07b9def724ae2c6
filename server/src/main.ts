import { startWatchdesk } from './start.ts'

await startWatchdesk(process.env)
