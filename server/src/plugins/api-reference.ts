import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { storedFile } from './stored-file.ts'

/** Only this file of the package is used, see decision 0022. */
const SCALAR = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))
const JAVASCRIPT = 'text/javascript; charset=utf-8'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Watchdesk API</title>
<link rel="icon" href="/favicon.svg">
</head>
<body>
<div id="reference"></div>
<script src="/api/docs/scalar.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>`

const SETTINGS = {
  url: '/api/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  documentDownloadType: 'json',
  agent: { disabled: true },
}

/** Uses the console's session and color scheme in the same browser. The token stays in memory. */
const START = `const scheme = localStorage.getItem('watchdesk-color-scheme')
Scalar.createApiReference('#reference', {
  ...${JSON.stringify(SETTINGS)},
  forceDarkModeState: scheme === 'light' || scheme === 'dark' ? scheme : undefined,
  authentication: {
    preferredSecurityScheme: 'token',
    securitySchemes: { token: { token: localStorage.getItem('access_token') ?? '' } },
  },
})`

export function serveApiReference(app: FastifyInstance, script = SCALAR) {
  app.get('/api/docs', { config: { access: 'public' } }, async (_request, reply) => {
    reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_SECURITY_POLICY)
    return PAGE
  })
  app.get('/api/docs/start.js', { config: { access: 'public' } }, async (_request, reply) => {
    reply.type(JAVASCRIPT)
    return START
  })
  const scalar = storedFile(JAVASCRIPT, 'public, max-age=3600', () => readFile(script))
  app.get('/api/docs/scalar.js', { config: { access: 'public' } }, scalar)
}
