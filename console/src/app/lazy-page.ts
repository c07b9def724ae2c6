import { lazyRouteComponent } from '@tanstack/react-router'
import { ApiError, offlineError, UNREACHABLE } from '../api/call.ts'

/**
 * A page whose code is loaded when it is opened. If that fails, the router reloads the browser tab once, because a new
 * release may have replaced the file. Without a connection, this would leave the console, so an error is shown instead.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        if (await isServerReachable()) throw error
        throw navigator.onLine ? new ApiError(0, undefined, UNREACHABLE, {}) : offlineError()
      }),
    name,
  )

/** A style sheet that failed to load is only requested again after a reload, which needs a reachable server. */
export async function reloadIfReachable() {
  if (await isServerReachable()) window.location.reload()
}

/** A reverse proxy also responds while the server is restarting, with an error. */
function isServerReachable() {
  return fetch(window.location.href, { method: 'HEAD' }).then(
    ({ status }) => status < 500,
    () => false,
  )
}
