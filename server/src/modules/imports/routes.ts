import type { App, Deps } from '../../deps.ts'

export function importsRoutes(_app: App, _deps: Deps) {}
