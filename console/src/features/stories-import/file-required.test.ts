import { StoriesImport } from '@watchdesk/contract/stories-import.schema'
import { expect, test } from 'vitest'
import { validate } from '../../ui/form/field-errors.ts'
import { fileRequired } from './file-required.ts'

test('says of a missing file what the contract says', async () => {
  const { errors } = await validate(StoriesImport, {})
  expect(errors).toEqual({ file: 'File is required' })
  expect(await validate(fileRequired, { file: null })).toEqual({ errors })
})

test('takes a file', async () => {
  const file = new File(['narrative_id'], 'stories.csv')
  expect(await validate(fileRequired, { file })).toEqual({ body: { file } })
})
