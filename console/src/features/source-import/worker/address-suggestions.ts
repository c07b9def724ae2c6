import { editDistance } from '@watchdesk/contract/edit-distance'
import { LENGTH } from '@watchdesk/contract/limits'
import { readAddress } from '@watchdesk/contract/source-row'
import { addressWithHost } from './platform-hosts.ts'

/** `kind` identifies what was wrong: addresses with the same kind are corrected alike. */
type AddressSuggestion = { address: string; kind: string }

/** A step returns the corrected text, and what was wrong, or undefined if it does not apply. */
type Step = (text: string) => { text: string; kind: string } | undefined

/** The address that was clearly meant; undefined if the text is one already or could be several. Takes linear time. */
export function suggestAddress(written: string): AddressSuggestion | undefined {
  if (written.length > LENGTH.link || typeof readAddress(written) !== 'string') return undefined
  let text = written.trim()
  const kinds: string[] = []
  for (const step of STEPS) {
    const corrected = step(text)
    if (!corrected) continue
    text = corrected.text
    kinds.push(corrected.kind)
    const found = readAddress(text)
    if (typeof found !== 'string') return { address: found.url, kind: kinds.join(' ') }
  }
  return undefined
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const LEADING = ' \t\n\r\u00a0-–—•*·>#|"\'“”„«»‘’`([{<'
const TRAILING = ' \t\n\r\u00a0.,;:!?…|"\'“”„«»‘’`)]}>*'

/** Not a regular expression, which would take quadratic time for a text full of such characters. */
function trimmed(text: string, leading: string, trailing: string) {
  let start = 0
  let end = text.length
  while (start < end && leading.includes(text[start] ?? '')) start += 1
  while (end > start && trailing.includes(text[end - 1] ?? '')) end -= 1
  return text.slice(start, end)
}

const withoutInvisible: Step = (text) => changed(text, text.replace(INVISIBLE, '').trim(), 'invisible')

/** `[name](address)` and `<a href="address">`. */
const withoutMarkup: Step = (text) => {
  const middle = text.indexOf('](')
  const end = text.indexOf(')', middle)
  if (middle >= 0 && end >= 0) return { text: text.slice(middle + 2, end).trim(), kind: 'markup' }
  const link = text.indexOf('href=')
  const quote = text[link + 5] ?? ''
  const close = text.indexOf(quote, link + 6)
  if (link >= 0 && (quote === '"' || quote === "'") && close >= 0)
    return { text: text.slice(link + 6, close).trim(), kind: 'markup' }
  return undefined
}

/** Quotes, brackets and bullets before the address, punctuation after it. */
const withoutPunctuation: Step = (text) => changed(text, trimmed(text, LEADING, TRAILING), 'punctuation')

/** More words are a text, not an address with a label. */
const MOST_WORDS = 20

/**
 * The only address in a text with several words: 'Telegram: https://t.me/name' and 't.me/name (News)'. In
 * 't.me/some name' the last word may belong to the address.
 */
const onlyAddress: Step = (text) => {
  const words = text.split(/\s+/)
  if (words.length === 1 || words.length > MOST_WORDS) return undefined
  const found = new Set<string>()
  /** The word before is an address, and nothing shows that it ends there. */
  let isOpen = false
  for (const word of words) {
    // Without a slash, a word such as 'e.g.' would be an address.
    const bare = trimmed(word, LEADING, TRAILING)
    const address = bare.includes('/') ? acceptedOrSuggested(bare) : undefined
    if (address !== undefined) found.add(address)
    else if (isOpen && !/^[([{<|–—]/.test(word)) return undefined
    isOpen = address !== undefined && !/[,;|)\]}>"'”»]$/.test(word)
  }
  const [only] = found
  return found.size === 1 && only !== undefined ? { text: only, kind: 'words' } : undefined
}

function acceptedOrSuggested(text: string) {
  const address = readAddress(text)
  return typeof address === 'string' ? suggestAddress(text)?.address : address.url
}

/** 'https:\\t.me\name'. */
const withSlashes: Step = (text) => changed(text, text.replaceAll('\\', '/'), 'backslashes')

/** 'https: // t.me / name'. A space elsewhere may separate two words. */
const withoutSpaces: Step = (text) => {
  if (!/\s/.test(text)) return undefined
  const parts = text.split(/\s+/)
  const joined = parts.reduce((all, part) => {
    const isJoint = /[/.:@#?=]$/.test(all) || /^[/.:?#]/.test(part)
    return `${all}${isJoint ? '' : ' '}${part}`
  })
  return changed(text, joined, 'spaces')
}

const SEPARATOR = '[\\s:(|,/–—-]{1,4}'
const HANDLES = [
  handles('telegram|tg|телеграмм?|тг', /^[a-z]\w{3,31}$/i, 't.me/'),
  handles('twitter|твіттер|твиттер', /^\w{1,15}$/, 'twitter.com/'),
  handles('tiktok|тікток|тикток', /^[\w.]{2,24}$/, 'tiktok.com/@'),
  handles('youtube|yt|ютуб', /^[\w.-]{3,30}$/, 'youtube.com/@'),
  handles('facebook|fb|фейсбук|фб', /^[a-z\d.]{5,50}$/i, 'facebook.com/'),
]

function handles(words: string, form: RegExp, address: string) {
  const before = new RegExp(`^(?:${words})(?:${SEPARATOR}@|@|\\s?:\\s?)([\\w.-]+)$`, 'iu')
  const after = new RegExp(`^@([\\w.-]+)${SEPARATOR}(?:${words})$`, 'iu')
  return { before, after, form, address }
}

/** '@name' together with its platform: 'Telegram @name', '@name (telegram)', 'tg: name'. */
const fromHandle: Step = (text) => {
  if (text.length > 100) return undefined
  for (const { before, after, form, address } of HANDLES) {
    const handle = (before.exec(text) ?? after.exec(text))?.[1]
    if (handle !== undefined && form.test(handle)) return { text: address + handle, kind: `handle:${address}` }
  }
  return undefined
}

/** Telegram's own links: 'tg://resolve?domain=name'. */
const fromAppLink: Step = (text) => {
  const name = /^tg:(?:\/\/)?resolve\/?\?domain=([a-z]\w{3,31})(?:&|$)/i.exec(text)?.[1]
  return name === undefined ? undefined : { text: `t.me/${name}`, kind: 'app link' }
}

const SCHEMES = ['http', 'https']
/** Other protocols: they are no misspelled `http`. */
const OTHER_SCHEMES = new Set(['ftp', 'ftps', 'sftp', 'file', 'mailto', 'tel', 'ws', 'wss', 'data', 'tg', 'ssh'])

/** 'htps://', 'http//', 'https:/', '://', 'https://https://'. */
const withScheme: Step = (text) => {
  let rest = text
  for (let count = 0; count < 3; count += 1) {
    const [prefix, letters = ''] = /^([a-z]{0,8})[:;.,]{0,2}\/{1,4}/i.exec(rest) ?? []
    if (prefix === undefined || !isScheme(letters.toLowerCase())) break
    rest = rest.slice(prefix.length)
  }
  // 'https:t.me/name' and 'httpst.me/name' have no slashes at all.
  rest = rest.replace(/^https?[:;]?(?=(?:www\.)?[a-z]{1,10}\.[a-z])/i, '')
  return changed(text.replace(/^https?:\/\//i, ''), rest, 'scheme', `https://${rest}`)
}

function isScheme(letters: string) {
  if (letters === '') return true
  if (OTHER_SCHEMES.has(letters)) return false
  return SCHEMES.some((scheme) => editDistance(letters, scheme, 2) <= (letters.length < 5 ? 1 : 2))
}

/** A host that is misspelled, or another one of the same platform. Addresses with the same host are alike. */
const withHost: Step = (text) => {
  const [scheme = ''] = /^https?:\/\//i.exec(text) ?? []
  const rest = text.slice(scheme.length)
  const end = rest.search(/[/?#]/)
  const host = end < 0 ? rest : rest.slice(0, end)
  if (host.length > LENGTH.host) return undefined
  const address = addressWithHost(host, end < 0 ? '' : rest.slice(end))
  return address === undefined ? undefined : { text: `https://${address}`, kind: `host:${host.toLowerCase()}` }
}

/** Each sees what the ones before it made of the text. */
const STEPS: Step[] = [
  withoutInvisible,
  withoutMarkup,
  onlyAddress,
  withoutPunctuation,
  fromHandle,
  fromAppLink,
  withSlashes,
  withoutSpaces,
  withScheme,
  withHost,
]

function changed(before: string, after: string, kind: string, text = after) {
  return before === after ? undefined : { text, kind }
}
