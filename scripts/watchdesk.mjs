import { setTimeout as wait } from 'node:timers/promises'
import { ADMIN } from './start-server.mjs'

export async function signIn(url) {
  return (await post(`${url}/api/v1/login`, ADMIN)).access_token
}

export async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (response.status === 503) {
    // A server that has just started on a busy machine may respond with 503 at first.
    await wait(1_000)
    return post(url, body, headers)
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.json()
}

/** A context without a cache, with the token in the storage of the console. */
export function newContext(browser, origin, token) {
  const localStorage = token ? [{ name: 'access_token', value: token }] : []
  return browser.newContext({ storageState: { cookies: [], origins: [{ origin, localStorage }] } })
}
