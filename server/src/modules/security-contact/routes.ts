import type { Deps } from '../../deps.ts'
import type { App } from '../../plugins/contract.ts'
import { Problem } from '../../problem.ts'

/** RFC 9116 recommends less than a year. The contact is a setting, so the file is as recent as the response. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000

/** Where to report security problems, as a file whose address and format everybody knows. */
export function securityContactRoutes(app: App, { env }: Pick<Deps, 'env'>) {
  const { SECURITY_CONTACT, PUBLIC_URL } = env
  app.get('/.well-known/security.txt', { config: { access: 'public' } }, async (_request, reply) => {
    // Without this route, a browser would get the page of the console.
    if (SECURITY_CONTACT === undefined) throw new Problem(404, 'Not found.')
    reply.type('text/plain; charset=utf-8')
    return securityTxt(SECURITY_CONTACT, PUBLIC_URL)
  })
}

function securityTxt(contact: string, publicUrl: string | undefined) {
  const fields = [
    ['Contact', contact],
    ['Expires', endOfDay(VALID_DAYS)],
    ['Preferred-Languages', 'en'],
    // The address of a request can be forged, so it is not used instead.
    ...(publicUrl === undefined ? [] : [['Canonical', new URL('/.well-known/security.txt', publicUrl).href]]),
  ]
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('')
}

/** In so many days, the same for all requests of a day. */
function endOfDay(days: number) {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T23:59:59Z`
}
