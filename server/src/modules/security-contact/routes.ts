import type { Deps } from '../../deps.ts'
import type { App } from '../../plugins/contract.ts'
import { Problem } from '../../problem.ts'

/** RFC 9116 recommends less than a year. The contact is a setting, so the file is as recent as the response. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000
const ADDRESS = '/.well-known/security.txt'

export function securityContactRoutes(app: App, { env }: Pick<Deps, 'env'>) {
  const { SECURITY_CONTACT, PUBLIC_URL } = env
  app.get(ADDRESS, { config: { access: 'public' } }, async (_request, reply) => {
    // Without this route, a browser would get the page of the console.
    if (SECURITY_CONTACT === undefined) throw new Problem(404, 'Not found.')
    const lastDay = new Date(Date.now() + VALID_DAYS * DAY_MS).toISOString().slice(0, 10)
    const lines = [`Contact: ${SECURITY_CONTACT}`, `Expires: ${lastDay}T23:59:59Z`, 'Preferred-Languages: en']
    // The address of a request can be forged, so it is not used instead.
    if (PUBLIC_URL !== undefined) lines.push(`Canonical: ${new URL(ADDRESS, PUBLIC_URL).href}`)
    reply.type('text/plain; charset=utf-8')
    return lines.map((line) => `${line}\n`).join('')
  })
}
