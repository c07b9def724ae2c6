import { editDistance } from '@watchdesk/contract/edit-distance'

/** What follows the host: path, query and fragment. */
type Rewrite = (tail: string) => string | undefined

/** Pages of Telegram's own site. */
const TELEGRAM_PAGES =
  /^\/(?:about|android|apps|blog|dl|evolution|faq(?:_\w+)?|img|index|js|jobs|moderation|mtproto|press|privacy|support|tos|tour|tsi|verify|wallet|\w+\.\w+)(?:[/?#]|$)/i
const TELEGRAM_NAME = /^\/{1,9}(?:s\/)?@?([a-z]\w{3,31})((?:\/\d{1,12})?)\/?(?:[?#]|$)/i
const TELEGRAM_INVITATION = /^\/{1,9}((?:joinchat\/|\+)[\w-]{8,64})\/?(?:[?#]|$)/
const TELEGRAM_CHAT = /^\/?(?:[akz]\/)?(?:\?[^#]{0,99})?#(?:\/im\?p=)?@([a-z]\w{3,31})$/i
const VIDEO = /^\/{1,9}([\w-]{11})\/?(?:[?#&]|$)/
const NAME = /^\/{1,9}(@[\w.-]{3,50})\/?(?:[?#]|$)/

/** Hosts that no source is stored with, and the address that is meant. */
const REWRITES: Record<string, Rewrite> = {
  'telegram.org': telegram,
  'telegram.com': telegram,
  'telegram.dog': telegram,
  'web.telegram.org': (tail) => join('t.me/', TELEGRAM_CHAT.exec(tail)?.[1]),
  'youtu.be': (tail) =>
    join('youtube.com/watch?v=', VIDEO.exec(tail)?.[1]) ?? join('youtube.com/', NAME.exec(tail)?.[1]),
  'youtube-nocookie.com': (tail) => join('youtube.com/watch?v=', VIDEO.exec(tail.replace(/^\/{1,9}embed/, ''))?.[1]),
  'm.me': (tail) => join('facebook.com/', /^\/{1,9}([a-z\d.]{5,50})\/?(?:[?#]|$)/i.exec(tail)?.[1]),
  ...Object.fromEntries(
    ['nitter.net', 'vxtwitter.com', 'fxtwitter.com', 'fixupx.com'].map((host) => [
      host,
      (tail) => `twitter.com${tail}`,
    ]),
  ),
}

/** Hosts that are stored, or are another name of a stored one. */
const KNOWN = ['t.me', 'telegram.me', 'facebook.com', 'fb.com', 'twitter.com', 'x.com', 'tiktok.com', 'youtube.com']
const ALL = [...KNOWN, ...Object.keys(REWRITES)]
/** 'tme' and 'facebookcom', and 'facebook' without an ending. */
const WITHOUT_DOTS = new Map([
  ...ALL.map((host) => [host.replaceAll('.', ''), host] as const),
  ...['facebook', 'twitter', 'tiktok', 'youtube'].map((name) => [name, `${name}.com`] as const),
  ['telegram', 't.me'] as const,
])
/** From this length on, a host with one wrong letter is no other site. */
const LONG_HOST = 10
/** Subdomains that show the same pages. Facebook also has one for each language, such as `uk-ua`. */
const SUBDOMAINS: Record<string, RegExp> = {
  'facebook.com': /^(?:web|touch|mbasic|free|business|iphone|[a-z]{2}-[a-z]{2})$/,
  'youtube.com': /^(?:music|gaming|studio)$/,
  'twitter.com': /^(?:web)$/,
  'x.com': /^(?:web)$/,
}
const LOOKALIKES = new Map(
  Object.entries({
    а: 'a',
    с: 'c',
    е: 'e',
    о: 'o',
    р: 'p',
    х: 'x',
    у: 'y',
    і: 'i',
    ѕ: 's',
    т: 't',
    м: 'm',
    к: 'k',
    в: 'b',
  }),
)

/** An address that is accepted if the host was clearly meant to be one of ours; undefined otherwise. */
export function addressWithHost(host: string, tail: string): string | undefined {
  const written = tidy(host)
  const [before = '', handle] = written.split('@')
  if (handle !== undefined)
    return /^[\w.-]{3,50}$/.test(handle) ? withHandle(before, host.slice(host.indexOf('@') + 1)) : undefined
  const found = meant(written)
  if (found !== undefined) return Object.hasOwn(REWRITES, found) ? REWRITES[found]?.(tail) : found + pathOf(found, tail)
  const [, sub = '', parent = ''] = /^([^.]+)\.(.+)$/.exec(written) ?? []
  if (parent === 't.me' && /^[a-z]\w{3,31}$/.test(sub) && /^\/?$/.test(tail)) return `t.me/${sub}`
  if (Object.hasOwn(SUBDOMAINS, parent) && SUBDOMAINS[parent]?.test(sub)) return parent + pathOf(parent, tail)
  return undefined
}

/** Dots instead of commas, Latin letters instead of Cyrillic ones that look the same, no `www`. */
function tidy(host: string) {
  const latin = [...host.toLowerCase()].map((letter) => LOOKALIKES.get(letter) ?? letter).join('')
  const dotted = latin.replace(/[,;·。]/g, '.').replace(/\.{2,}/g, '.')
  return dotted.replace(/^\.|\.$/g, '').replace(/^(?:w{2,5}\.|(?:m|mobile)\.)+(?=[^.]+\.)/, '')
}

function meant(host: string) {
  if (ALL.includes(host)) return host
  const bare = host.replaceAll('.', '')
  const complete = WITHOUT_DOTS.get(bare) ?? WITHOUT_DOTS.get(bare.replace(/^w{2,5}/, ''))
  if (complete !== undefined || host.length > 30) return complete
  const near = ALL.filter((other) => other.length >= LONG_HOST && editDistance(host, other, 1) === 1)
  return near.length === 1 ? near[0] : undefined
}

/** 't.me@name'. */
function withHandle(host: string, handle: string) {
  const found = meant(host)
  if (found === 't.me' || found === 'telegram.me' || found === 'twitter.com') return `${found}/${handle}`
  return found === 'tiktok.com' || found === 'youtube.com' ? `${found}/@${handle}` : undefined
}

/** Old links have the path in the fragment: 'twitter.com/#!/name'. */
function pathOf(host: string, tail: string) {
  const hidden = /^\/?#!?\/?(?=[^\s/])/.exec(tail)?.[0]
  if (hidden !== undefined && !host.endsWith('.me')) return `/${tail.slice(hidden.length)}`
  return tail.replace(/^\/+/, '/')
}

function telegram(tail: string) {
  if (TELEGRAM_PAGES.test(tail)) return undefined
  const [, name, message = ''] = TELEGRAM_NAME.exec(tail) ?? []
  return join('t.me/', name && name + message) ?? join('t.me/', TELEGRAM_INVITATION.exec(tail)?.[1])
}

function join(start: string, rest: string | undefined) {
  return rest === undefined ? undefined : start + rest
}
