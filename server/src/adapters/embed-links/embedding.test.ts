import { describe, expect, test } from 'vitest'
import { embeddingOf } from './embedding.ts'

const CONSOLE = 'https://desk.example.com'
const PAGE = new URL('https://bi.example.net/report')

const byPolicy = (policy: string | string[], origin = CONSOLE, page = PAGE) =>
  embeddingOf({ 'content-security-policy': policy, 'x-frame-options': 'DENY' }, page, origin)
const byOption = (option: string | string[], page = PAGE) => embeddingOf({ 'x-frame-options': option }, page, CONSOLE)

test('without a header, a page allows embedding', () => {
  expect(embeddingOf({}, PAGE, CONSOLE)).toBe('allowed')
})

describe('X-Frame-Options', () => {
  test.each(['DENY', 'deny', ' SAMEORIGIN ', 'SAMEORIGIN, DENY', 'DENY, something'])('%s forbids it', (option) => {
    expect(byOption(option)).toBe('x_frame_options')
  })

  test.each(['', 'ALLOWALL', 'ALLOW-FROM https://desk.example.com', 'something', 'one, two'])(
    '%j allows it',
    (option) => {
      expect(byOption(option)).toBe('allowed')
    },
  )

  test('SAMEORIGIN allows the same origin, and the header may be repeated', () => {
    expect(byOption('SAMEORIGIN', new URL(`${CONSOLE}/report`))).toBe('allowed')
    expect(byOption(['SAMEORIGIN', 'SAMEORIGIN'])).toBe('x_frame_options')
  })
})

describe('frame-ancestors decides instead, and allows', () => {
  test.each([
    'frame-ancestors *',
    'frame-ancestors https:',
    'frame-ancestors http:',
    'frame-ancestors desk.example.com',
    'frame-ancestors https://desk.example.com',
    'frame-ancestors http://desk.example.com:80',
    'frame-ancestors HTTPS://DESK.EXAMPLE.COM:443/any',
    'frame-ancestors https://*.example.com',
    'frame-ancestors *.example.com:*',
    "default-src 'none'; Frame-Ancestors 'self'\thttps://desk.example.com",
    "frame-ancestors https:; frame-ancestors 'none'",
  ])('%s', (policy) => {
    expect(byPolicy(policy)).toBe('allowed')
  })

  test.each([
    'frame-ancestors',
    "frame-ancestors 'none'",
    "frame-ancestors 'self'",
    'frame-ancestors https://other.example.com',
    'frame-ancestors https://desk.example.com:8443',
    'frame-ancestors https://example.com',
    'frame-ancestors https://*.desk.example.com',
    'frame-ancestors https://*.ample.com',
    'frame-ancestors https://desk.example.com.evil.example',
    'frame-ancestors wss:',
    "frame-ancestors https:, frame-ancestors 'none'",
    'frame-ancestors https://[',
  ])('but not with %s', (policy) => {
    expect(byPolicy(policy)).toBe('frame_ancestors')
  })

  test('a repeated header only if all allow it, and another port or scheme only if it is named', () => {
    expect(byPolicy(['frame-ancestors *', "frame-ancestors 'none'"])).toBe('frame_ancestors')
    expect(byPolicy('frame-ancestors localhost', 'http://localhost:3000')).toBe('frame_ancestors')
    expect(byPolicy('frame-ancestors http://localhost:3000', 'http://localhost:3000')).toBe('allowed')
    expect(byPolicy('frame-ancestors desk.example.com:*', 'http://desk.example.com')).toBe('frame_ancestors')
    expect(byPolicy("frame-ancestors 'self'", PAGE.origin)).toBe('allowed')
  })

  test('other directives do not matter', () => {
    expect(byPolicy("default-src 'none'; frame-src 'none'")).toBe('x_frame_options')
  })
})
