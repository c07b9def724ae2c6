import { describe, expect, test } from 'vitest'
import { webLink } from './web-link.ts'

describe('which links are safe to follow', () => {
  test.each(['https://app.powerbi.com/view?r=abc#x', 'http://bi.example.com/', '  https://bi.example.com/reach\n'])(
    '%j may',
    (text) => {
      expect(webLink(text)).toBe(text.trim())
    },
  )

  test.each([
    '',
    'reach',
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://example.com/1',
    'ftp://example.com',
    '//example.com',
    'https://',
  ])('%j may not', (text) => {
    expect(webLink(text)).toBeUndefined()
  })
})
