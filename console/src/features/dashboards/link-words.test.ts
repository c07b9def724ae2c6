import type { LinkCheck } from '@watchdesk/contract/dashboards'
import { expect, test } from 'vitest'
import { linkWords } from './link-words.ts'

const WORKS: LinkCheck = {
  id: 1,
  embed_link: 'https://bi.example/report',
  problem: null,
  status: 200,
  embedding: 'allowed',
}
const NONE = { status: null, embedding: null }

test.each<[Partial<LinkCheck>, string]>([
  [{}, 'Works: Allows embedding.'],
  [{ embedding: 'x_frame_options' }, 'Not embeddable: Forbidden by X-Frame-Options.'],
  [{ embedding: 'frame_ancestors' }, 'Not embeddable: Forbidden by Content-Security-Policy.'],
  [
    { embed_link: 'http://bi.example/report' },
    'Not embeddable: This console uses https, so it cannot embed a page that uses http.',
  ],
  [{ problem: 'status', status: 403, embedding: null }, 'Not reachable: Access is refused (403).'],
  [{ problem: 'status', status: 404, embedding: null }, 'Not reachable: The page was not found (404).'],
  [{ problem: 'status', status: 503, embedding: null }, 'Not reachable: The site has an error (503).'],
  [{ problem: 'status', status: 429, embedding: null }, 'Not reachable: The site responds with status 429.'],
  [{ problem: 'timeout', ...NONE }, 'Not reachable: No response within 5 seconds.'],
  [{ problem: 'tls', ...NONE }, 'Not reachable: The certificate or TLS connection is invalid.'],
  [{ problem: 'host_not_found', ...NONE }, 'Not reachable: The host was not found.'],
  [{ problem: 'private_address', ...NONE }, 'Not checked: Private addresses are not checked.'],
])('%j is %s', (result, words) => {
  const { tag, text } = linkWords({ ...WORKS, ...result }, 'https://desk.example.com/dashboards')
  expect(`${tag}: ${text}`).toBe(words)
})
