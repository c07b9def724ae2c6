import { isIPv4, isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(?=\d+\.)/i

/** The largest block commonly given to one site: by single address, an attacker would have any number of counters. */
export function networkOf(ip: string): string {
  const address = ip.replace(MAPPED, '')
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  if (!isIPv6(address)) return ip.slice(0, 100)
  // In the canonical form, without leading zeros. What follows two colons are zeros, or beyond the network.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [start = ''] = hostname.slice(1, -1).split('::')
  return `${[...start.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3).join(':')}::/48`
}
