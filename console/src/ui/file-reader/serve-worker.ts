/** The functions that a worker offers to the page. `report` sends the progress of a call. */
export type Handlers = Record<string, (argument: never, report: never) => unknown>

export type Request = { id: number; name: string; argument: unknown }
export type Response = { id: number } & ({ progress: unknown } | { result: unknown } | { error: string })

type Port = Pick<MessagePort, 'addEventListener'> & { postMessage: (message: Response) => void }

/** The worker's side of `connectWorker`: responds to every call with its result or its error. */
export function serveWorker(handlers: Handlers, port: Port = self) {
  port.addEventListener('message', async ({ data: { id, name, argument } }: MessageEvent<Request>) => {
    const send = (response: Response) => port.postMessage(response)
    try {
      const report = (progress: unknown) => send({ id, progress })
      send({ id, result: await handlers[name]?.(argument as never, report as never) })
    } catch (error) {
      // Also if the result cannot be cloned.
      send({ id, error: String(error) })
    }
  })
}
