import { describe, expect, test } from 'vitest'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { generatePassword } from '../../../db/bootstrap.ts'
import { weakness } from './weak-passwords.ts'

const OLENA = { first_name: 'Olena', last_name: 'Kovalenko-Smith', email: 'o.shevchuk77@atlas-media.example.com' }

describe('a common password is rejected', () => {
  test.each([
    'password1',
    'Password1',
    'PASSWORD',
    'P@ssw0rd',
    'p4$$w0rd!',
    'Pa55-w0rd',
    'Welcome1',
    'We1c0me!',
    'Welcome2026!',
    '!!Dragon!!',
    '@dmin1234',
    'Qwerty123!',
    'iL0v3y0u',
    '12345678',
    '1q2w3e4r',
    'ｐａｓｓｗｏｒｄ',
    'password123456789',
    'Password2026!!!!!',
    'Abcd1234!',
    'aaaaaaaa',
    'abcdefgh',
    'zyxwvuts',
    '00000000',
    '87654321',
    '12341234',
    '123123123',
    '1234567890123456',
    '19900101',
    'adminadmin',
    'AdminAdmin1',
    'rootroot',
    'secretsecret',
    'Password!Password!',
    'пароль12',
    'Пароль2026!',
    'п@р0ль12',
    'пароль пароль',
    '18.11.2026',
    'йцукен123',
    'привет99',
    'україна2026',
    '        a',
    'a       b        c',
    '\u3000\u3000\u3000\u3000\u3000\u3000\u3000x',
    'password                  !',
    'aaaaaaaaaaaaaaab',
    'ababababababababab!',
    'x'.repeat(1024),
  ])('%s', (password) => {
    expect(weakness(password, OLENA)).toMatch(/too common\. Choose/)
  })
})

describe('a password made of public information is rejected', () => {
  test.each([
    'Watchdesk',
    'W4tchd3sk!',
    'watchdesk2026',
    'olena.kovalenko',
    '0l3n@2026!',
    'Kovalenko#Smith9',
    'smith--olena',
    '##shevchuk77',
    'atlasmedia1',
    'Atlas-Media-7',
    'olenawatchdesk',
    'Watchdesk2026!!',
    'Watchdesk1234567',
    'Kovalenk0123456',
    'Олена2026!',
    'W@tchdesk1я',
    'K0valenk0 7я',
  ])('%s', (password) => {
    expect(weakness(password, OLENA)).toMatch(/name, the email or "Watchdesk"\. Choose/)
  })
})

test.each([
  'correct horse 9',
  'staple battery 7',
  'quiet river stone',
  'olena likes long walks',
  'watchdesk has 9 desks',
  'kX7!qLm2',
  'abcd and then some',
  '40817293650194827',
  'мій дуже довгий пароль',
  'correct horse battery staple '.repeat(35),
])('%s is accepted', (password) => {
  expect(weakness(password, OLENA)).toBeUndefined()
})

test.each(['yEAnNvE9g*36fv1#3', '9ann7%4(3#eve2&8*'])(
  '%s is accepted for Ann and for Eve: that is chance',
  (password) => {
    const people = [OLENA, { first_name: 'Ann', last_name: 'Eve', email: 'y@b.co' }]
    expect(people.map((person) => weakness(password, person))).toEqual([undefined, undefined])
  },
)

test('none of 2,000 generated passwords is rejected, for any user', () => {
  const people = [
    OLENA,
    { first_name: 'Al', last_name: 'Li', email: 'a@b.co' },
    { first_name: 'Ann Bob Cid Dan Eve Fay', last_name: 'Gus Hal Ian Joe', email: 'kim.lea.max@ned.org.example' },
  ]
  const refused = Array.from({ length: 2000 }, (_, index) => ({ person: people[index % 3], is: generatePassword() }))
    .filter(({ person, is }) => weakness(is, person) !== undefined)
    .map(({ is }) => is)
  expect(refused).toEqual([])
})

describe('over the API', () => {
  const watchdesk = useWatchdesk()
  const refusal = (msg: RegExp) => ({
    status: 422,
    body: { detail: [{ loc: ['body', 'password'], msg: expect.stringMatching(msg) }] },
  })

  test('it is rejected with its field on create and on edit, also for names set in the same edit', async () => {
    const { admin, createUser } = watchdesk
    const user = await createUser({ first_name: 'Olena' })
    const url = `/api/v1/users/${user.id}`
    expect(await admin('PATCH', url, { password: 'P@ssw0rd' })).toMatchObject(refusal(/too common/))
    expect(await admin('PATCH', url, { password: 'Olena2026!' })).toMatchObject(refusal(/name/))
    const renamed = { first_name: 'Maksym', password: 'Maksym2026!' }
    expect(await admin('PATCH', url, renamed)).toMatchObject(refusal(/name/))
    const body = { first_name: 'Ada', last_name: 'Winter', email: 'ada@example.com', workspace_id: 1 }
    for (const password of ['Winter-2026', 'Welcome1', 'Watchdesk!']) {
      expect(await admin('POST', '/api/v1/users/', { ...body, password })).toMatchObject(refusal(/Choose/))
    }
    expect((await admin('GET', url)).body).toMatchObject({ first_name: 'Olena', version: 1 })
  })
})
