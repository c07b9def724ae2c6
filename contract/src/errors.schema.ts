import { z } from 'zod'

export const FieldError = z.object({
  loc: z
    .array(z.union([z.string(), z.number()]))
    .meta({ description: 'Where the field is', examples: [['body', 'email']] }),
  msg: z.string().meta({ description: 'What is wrong', examples: ['Email is required!'] }),
  type: z.string().meta({ description: 'Kind of error, for programs', examples: ['value_error'] }),
})

export const ErrorBody = z.object({
  detail: z.union([z.string(), z.array(FieldError)]).meta({
    description: 'What went wrong. With status 422, a list of the invalid fields',
    examples: ['User not found.'],
  }),
})

export type FieldError = z.infer<typeof FieldError>
export type ErrorBody = z.infer<typeof ErrorBody>
