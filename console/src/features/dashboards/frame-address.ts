import { webLink } from '../../ui/display/web-link.ts'

/** An opening tag. Quoted values may contain '>'. */
const FRAMES = /<iframe(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)/gi
const ATTRIBUTES = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' }

/** The address of the first `<iframe>` in a text that has one, or undefined. */
export function frameAddress(text: string): string | undefined {
  for (const [, attributes = ''] of text.matchAll(FRAMES)) {
    const address = addressIn(attributes)
    if (address !== undefined) return address
  }
}

/** Of several attributes with the same name, browsers use the first. */
function addressIn(attributes: string) {
  for (const [, name = '', double, single, bare] of attributes.matchAll(ATTRIBUTES)) {
    if (name.toLowerCase() !== 'src') continue
    const address = decode(double ?? single ?? bare ?? '').trim()
    const link = address.startsWith('//') ? `https:${address}` : address
    return webLink(link) && link
  }
}

function decode(value: string) {
  return value.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (written, hex, decimal, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? written
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written
  })
}
