import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  // The UI library sets dimensions in style attributes.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  // The console previews dashboards in frames, and they can have any address.
  'frame-src http: https:',
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

export const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The console's files set their own header. Not decided by URL, because a URL can be written in many ways.
  'cache-control': 'no-store',
}

export function sendSecurityHeaders(app: FastifyInstance, env: Env) {
  const isSecure = env.PUBLIC_URL?.startsWith('https:')
  const headers = isSecure ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' } : SECURITY_HEADERS
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
