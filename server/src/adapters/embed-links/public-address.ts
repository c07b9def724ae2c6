import { BlockList, isIP } from 'node:net'

const GLOBAL = networks('2000::/3')

// The special-purpose registry of IANA, such as link-local (the metadata of cloud servers). Of the global addresses of
// IPv6: those that contain an IPv4 address, and documentation.
const PRIVATE = networks(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  2001::/23 2001:db8::/32 2002::/16 3fff::/20`)

function networks(list: string) {
  const blocks = new BlockList()
  for (const [, address = '', bits] of list.matchAll(/(\S+)\/(\d+)/g)) {
    blocks.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return blocks
}

export function isPublicAddress(address: string) {
  const version = isIP(address)
  if (version === 4) return !PRIVATE.check(address, 'ipv4')
  return version === 6 && GLOBAL.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')
}
