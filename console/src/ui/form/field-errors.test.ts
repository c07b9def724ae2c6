import { UserCreate } from '@watchdesk/contract/users.schema'
import { WorkspaceBody } from '@watchdesk/contract/workspaces.schema'
import { expect, test } from 'vitest'
import { fieldErrorsOf, validate } from './field-errors.ts'

test('each invalid field has its first message', async () => {
  const given = { first_name: '', last_name: 'K', email: '', workspace_id: null, password: '' }
  expect(await validate(UserCreate, given)).toEqual({
    errors: {
      first_name: 'First name is required!',
      email: 'Email is required!',
      workspace_id: 'Workspace is required!',
      password: 'Password is required!',
    },
  })
})

test('a nested field has its path as its key', async () => {
  const quota = { limit: null, balance: 1, renewal_date: '2027-01-01T00:00:00' }
  const checked = await validate(WorkspaceBody, {
    name: 'A',
    analytical_quota: quota,
    ai_quota: { ...quota, limit: 1 },
  })
  expect(checked.errors).toEqual({ 'analytical_quota.limit': 'analytical_quota_limit is a required field' })
})

test('a valid body is returned', async () => {
  const body = { first_name: 'A', last_name: 'B', email: 'a@example.com', workspace_id: 1, password: 'x' }
  expect(await validate(UserCreate, body)).toEqual({ body })
})

test('the fields of a 422 are found, also in the format of another backend', () => {
  const detail = [
    { loc: ['body', 'email'], msg: 'Taken.' },
    { loc: ['body', 'ai_quota', 'limit'], msg: 'Too low.' },
    { loc: ['body', 'email'], msg: 'Second.' },
    { loc: ['body'], msg: 'Of no field.' },
    { msg: 'Without a place.' },
  ]
  expect(fieldErrorsOf({ detail })).toEqual({ email: 'Taken.', 'ai_quota.limit': 'Too low.' })
  for (const body of [undefined, null, 'text', {}, { detail: 'No.' }, { detail: [null, 3] }]) {
    expect(fieldErrorsOf(body)).toEqual({})
  }
})
