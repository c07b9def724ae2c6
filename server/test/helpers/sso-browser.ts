import type { Session } from '@watchdesk/contract/auth/session'
import type { OidcProvider } from './oidc.ts'
import { caller, type Watchdesk } from './watchdesk.ts'

type Answer = { status: number; location: string; body: string; cookies: string[] }
type Visit = { url: string; answer: Answer }

/** A browser with its own cookies, which opens pages of the server and of the provider. */
export function openBrowser({ app }: Watchdesk) {
  const jars: Record<'watchdesk' | 'provider', Record<string, string>> = { watchdesk: {}, provider: {} }
  /** Everything that this browser has seen. */
  const visits: Visit[] = []

  return { jars, visits, open, start, come, signIn, finish, leave }

  /** A page of the server if it begins with `/`, otherwise one of the provider. Redirects are not followed. */
  async function open(url: string, form?: Record<string, string>): Promise<Answer> {
    const jar = url.startsWith('/') ? jars.watchdesk : jars.provider
    const cookie = Object.entries(jar).map(([name, value]) => `${name}=${value}`)
    const answer = await (url.startsWith('/')
      ? openOwn(url, cookie.join('; '))
      : openOther(url, cookie.join('; '), form))
    for (const line of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) delete jar[name]
      else jar[name] = value
    }
    visits.push({ url, answer })
    return answer
  }

  async function openOwn(url: string, cookie: string): Promise<Answer> {
    const method = url === '/api/v1/login/sso' ? 'POST' : 'GET'
    const { statusCode, headers, body } = await app.inject({ method, url, headers: { cookie, accept: 'text/html' } })
    const cookies = [headers['set-cookie'] ?? []].flat()
    return { status: statusCode, location: String(headers.location ?? ''), body, cookies }
  }

  async function openOther(url: string, cookie: string, form?: Record<string, string>): Promise<Answer> {
    const sent = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await fetch(url, { ...sent, headers: { cookie }, redirect: 'manual' })
    const location = response.headers.get('location')
    return {
      status: response.status,
      location: location === null ? '' : new URL(location, url).href,
      body: await response.text(),
      cookies: response.headers.getSetCookie(),
    }
  }

  /** Where the server sends the browser. */
  async function start(query = '') {
    return (await open(`/sso/start${query}`)).location
  }

  /** From the provider's first page to the address of the server that it sends the browser back to. */
  async function come(url: string, account: string): Promise<string> {
    let next = url
    while (!new URL(next).pathname.startsWith('/sso/callback')) {
      const isForm = new URL(next).pathname.startsWith('/sign-in/')
      const { location, status, body } = await open(next, isForm ? { account } : undefined)
      if (!location) throw new Error(`The provider answered with ${status}: ${body}`)
      next = location
    }
    const { pathname, search } = new URL(next)
    return pathname + search
  }

  /** Signs in at the provider and returns where the server sends the browser in the end. */
  async function signIn(account: string, query = '') {
    const callback = await come(await start(query), account)
    return (await open(callback)).location
  }

  async function finish() {
    const { status, body } = await open('/api/v1/login/sso')
    const { access_token } = JSON.parse(body) as Session
    return { status, call: caller(app, access_token) }
  }

  /** Signs out at the provider and returns where it sends the browser. */
  async function leave(provider: OidcProvider) {
    const { location } = await open('/sso/logout')
    const { body } = await open(location)
    const [, action = ''] = /action="([^"]+)"/.exec(body) ?? []
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(body) ?? []
    return (await open(new URL(action, provider.issuer).href, { xsrf, logout: 'yes' })).location
  }
}

export type SsoBrowser = ReturnType<typeof openBrowser>
