import { z } from 'zod'

export const FieldError = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
})

export const ErrorBody = z.object({ detail: z.union([z.string(), z.array(FieldError)]) })

export type FieldError = z.infer<typeof FieldError>
export type ErrorBody = z.infer<typeof ErrorBody>
