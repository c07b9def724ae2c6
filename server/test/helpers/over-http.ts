import type { InjectOptions } from 'fastify'
import type { App } from '../../src/plugins/contract.ts'

export type Answer = { call: string; text: string }

/** A server in another process, for helpers that call an app. All its answers are kept, with status and headers. */
export function overHttp(url: string) {
  const answers: Answer[] = []
  const app = { inject } as unknown as App
  return { app, answers }

  async function inject({ method = 'GET', url: path, headers, payload }: InjectOptions) {
    const response = await fetch(url + String(path), {
      method,
      redirect: 'manual',
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(payload !== undefined && { body: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })
    const body = await response.text()
    const all = { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() }
    answers.push({ call: `${method} ${path}`, text: [response.status, JSON.stringify(all), body].join('\n') })
    return { statusCode: response.status, headers: all, body, json: () => JSON.parse(body) }
  }
}
