import { z } from 'zod'

type ChoiceFields = z.ZodRawShape & Record<'action' | 'ids' | 'filter', z.ZodType>

/** Records by their ids or by a filter, and what to do with them. Only `action` needs, and accepts, the field `name`. */
export function chosenOrFiltered<Shape extends ChoiceFields>(
  shape: Shape,
  action: string,
  name: keyof Shape & string,
  message: string,
) {
  return z
    .strictObject(shape)
    .refine(({ ids, filter }: { ids?: unknown; filter?: unknown }) => (ids === undefined) !== (filter === undefined), {
      path: ['ids'],
      message: 'Send either ids or a filter.',
    })
    .refine((body: Record<string, unknown>) => (body.action === action) === (body[name] !== undefined), {
      path: [name],
      message,
    })
    .meta({
      oneOf: [{ required: ['ids'] }, { required: ['filter'] }],
      if: { properties: { action: { const: action } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: [name] },
      else: { properties: { [name]: false } },
    })
}
