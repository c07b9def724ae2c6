import { isIPv4, isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(?=\d+\.)/i

/**
 * The network of an address: an IPv4 /24 or an IPv6 /48, the largest block commonly given to one site. Counting by
 * single address would let one attacker use any number of counters.
 */
export function networkOf(ip: string): string {
  const address = ip.replace(MAPPED, '')
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  if (isIPv6(address)) return `${groups(address).slice(0, 3).join(':')}::/48`
  return ip.slice(0, 100)
}

/** Expands an IPv6 address to eight groups without leading zeros. */
function groups(address: string) {
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16))
}
