import { expect, test } from 'vitest'
import { errorText } from './errors.ts'

const item = (msg: unknown) => ({ loc: ['body', 'name'], msg, type: 'value_error' })

test('a detail text is shown as it is', () => {
  expect(errorText({ detail: 'User not found.' })).toBe('User not found.')
  expect(errorText({ detail: ' <b>spaces</b>\nand lines ' })).toBe(' <b>spaces</b>\nand lines ')
})

test('the messages of a detail list are joined with line breaks', () => {
  expect(errorText({ detail: [item('Name is required!')] })).toBe('Name is required!')
  expect(errorText({ detail: [item('First name is required!'), item('Email is required!')] })).toBe(
    'First name is required!\nEmail is required!',
  )
})

test('entries without a message are left out', () => {
  expect(errorText({ detail: [item('One'), item(5), {}, null, 'text', item('Two')] })).toBe('One\nTwo')
})

test.each([
  undefined,
  null,
  '',
  'Bad gateway',
  502,
  [],
  {},
  { message: 'no detail' },
  { detail: null },
  { detail: '' },
  { detail: 5 },
  { detail: {} },
  { detail: { msg: 'not a list' } },
  { detail: [] },
  { detail: [{}] },
  { detail: [item('')] },
  { detail: [item(null)] },
])("%j is 'Something went wrong'", (body) => {
  expect(errorText(body)).toBe('Something went wrong')
})
