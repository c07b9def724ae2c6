import { after, countIn, type SentenceEvent as Event, type Sentence, verbOf } from './event-values.ts'
import { countOf, linked, ofAny } from './import-sentences.ts'
import { bulkSentenceOf, inFormOrder, labelOf } from './labels.ts'

/** What happened to many records at once. How many they are is a link to the operation. */
export function ofMany(event: Event): Sentence {
  const counted = countOf(countIn(event, 'changed_count'), event.entity)
  if (event.action === 'update') return changed(event, counted)
  return ofAny(event) ?? linked(event, `${verbOf(event.action)} `, counted)
}

/** One change is said in full, several by their fields: 'changed the type and language of 28 users'. */
function changed(event: Event, counted: string): Sentence {
  const { changed_count: _, ...set } = event.changes
  const fields = inFormOrder(Object.keys(set))
  const [first] = fields
  if (first === undefined) return linked(event, `${verbOf(event.action)} `, counted)
  if (fields.length === 1) return ofField(event, first, counted)
  const names = fields.map((field) => nameOf(event, field))
  return linked(event, `changed the ${new Intl.ListFormat('en').format(new Set(names))} of `, counted)
}

function ofField(event: Event, field: string, counted: string): Sentence {
  const value = after(event, field)
  const own = bulkSentenceOf(event.entity, field, value)
  if (own) return linked(event, own[0], counted, own[1])
  switch (field) {
    case 'status':
    case 'type':
      if (value === '') return linked(event, `removed the ${field} of `, counted)
      return linked(event, `changed the ${field} of `, counted, ` to ${value}`)
    case 'is_admin':
    case 'is_super_admin':
      return linked(event, `turned ${value === 'true' ? 'on' : 'off'} ${nameOf(event, field)} for `, counted)
    default:
      return linked(event, `changed the ${nameOf(event, field)} of `, counted)
  }
}

/** The label without its capital, except for names such as PowerBI and AI. */
function nameOf({ entity }: Event, field: string) {
  return labelOf(entity, field).replace(/^[A-Z][a-z]*\b/, (word) => word.toLowerCase())
}
