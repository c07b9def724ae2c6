import { describe, expect, test } from 'vitest'
import { unframeable } from './unframeable.ts'

describe('pages known not to allow embedding', () => {
  const CONSOLE = 'https://desk.example.com/dashboards/create'

  test.each(['https://desk.example.com/users', 'http://bi.example.com/'])('%s', (link) => {
    expect(unframeable(link, CONSOLE)).toBeTypeOf('string')
  })

  test.each(['https://bi.example.com/', 'https://desk.example.com:8443/', 'http://localhost:8080/'])(
    'but %s may',
    (link) => {
      expect(unframeable(link, CONSOLE)).toBeUndefined()
    },
  )
})
