import { ContentType, Platform } from '@watchdesk/contract/enums'

const platforms = new Map(Platform.options.map((name) => [name as string, name]))
const contentTypes = new Map(ContentType.options.map((name) => [name as string, name]))

/** Where a message is from, as far as its id says: `telegram:post:77` is a post on TELEGRAM. */
export function originOf(message_composite_id: string) {
  const parts = message_composite_id.toUpperCase().split(/[:_/|-]/)
  const first = <Name>(names: Map<string, Name>) => {
    const part = parts.find((each) => names.has(each))
    return (part !== undefined && names.get(part)) || null
  }
  return { platform: first(platforms), content_type: first(contentTypes) }
}
