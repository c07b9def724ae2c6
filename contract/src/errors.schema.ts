import { z } from 'zod'
import * as field from './fields.schema.ts'

export const FieldError = z.object({
  loc: field.about(z.array(z.union([z.string(), z.number()])), 'Where the field is', ['body', 'email']),
  msg: field.string('What is wrong', 'Email is required!'),
  type: field.string('Kind of error, for programs', 'value_error'),
})

export const ErrorBody = z.object({
  detail: field.about(
    z.union([z.string(), z.array(FieldError)]),
    'What went wrong. With status 422, a list of the invalid fields',
    'User not found.',
  ),
})

export type FieldError = z.infer<typeof FieldError>
export type ErrorBody = z.infer<typeof ErrorBody>
