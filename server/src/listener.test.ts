import { createServer } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { StartError } from './env.ts'
import { bindPort } from './listener.ts'

async function bind(HOST = '127.0.0.1', PORT = 0) {
  const listener = await bindPort({ HOST, PORT })
  onTestFinished(() => listener.close())
  return listener
}

async function handOver(listener: Awaited<ReturnType<typeof bind>>) {
  const app = Fastify()
  app.get('/health/ready', async () => ({ status: 'ok' }))
  onTestFinished(() => app.close())
  await listener.handOver(app)
  return app
}

test('until the server is ready, it returns 503 with Retry-After; only the liveness check succeeds', async () => {
  const { url } = await bind()
  for (const path of ['/', '/health/ready', '/api/v1/users/']) {
    const response = await fetch(url + path)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toEqual({ detail: 'The server is starting. Try again in a moment.' })
  }
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
})

test('the port never closes between the start and the first response of the app, and closes with the app', async () => {
  const listener = await bind()
  const { port } = new URL(listener.url)
  const statuses: number[] = []
  let isDone = false
  const callers = Array.from({ length: 4 }, async () => {
    while (!isDone) statuses.push((await fetch(`${listener.url}/health/ready`)).status)
  })
  while (statuses.length < 10) await new Promise(setImmediate)
  const app = await handOver(listener)
  while (!statuses.includes(200)) await new Promise(setImmediate)
  isDone = true
  await Promise.all(callers)
  expect(new Set(statuses)).toEqual(new Set([503, 200]))
  expect(new URL(listener.url).port).toBe(port)
  listener.close()
  await app.close()
  await expect(fetch(`${listener.url}/health/ready`)).rejects.toThrow()
})

test('localhost answers on every address that it has', async () => {
  const listener = await bind('localhost')
  await handOver(listener)
  const { port } = new URL(listener.url)
  const { lookup } = await import('node:dns/promises')
  for (const { address, family } of await lookup('localhost', { all: true })) {
    const host = family === 6 ? `[${address}]` : address
    expect((await fetch(`http://${host}:${port}/health/ready`)).status).toBe(200)
  }
})

test('a port in use fails the start with a one-line error', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const failed = bindPort({ HOST: '127.0.0.1', PORT: port })
  await expect(failed).rejects.toBeInstanceOf(StartError)
  await expect(failed).rejects.toThrow(`Cannot listen on 127.0.0.1 port ${port}: `)
})
