import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const A = 1
const AAAA = 28
const NOT_FOUND = 3
const HEADER_BYTES = 12

/**
 * A name server on loopback. `addresses` returns those of a name at the moment, none for a name that does not exist, and
 * undefined to never answer.
 */
export async function startNameServer(addresses: (name: string) => string[] | undefined) {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = readQuestion(query)
    if (type === A) questions.push(name)
    const found = addresses(name)
    if (found === undefined) return
    const records = found
      .filter((one) => (one.includes(':') ? AAAA : A) === type)
      .map((one) => {
        const bytes = one.includes(':') ? ipv6(one) : Buffer.from(one.split('.').map(Number))
        const record = Buffer.alloc(12)
        // A pointer to the name of the question, then type, class, time to live and length.
        record.writeUInt16BE(0xc00c, 0)
        record.writeUInt16BE(type, 2)
        record.writeUInt16BE(1, 4)
        record.writeUInt16BE(bytes.length, 10)
        return Buffer.concat([record, bytes])
      })
    const header = Buffer.alloc(HEADER_BYTES)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 + (found.length === 0 ? NOT_FOUND : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  return { address: `127.0.0.1:${port}`, questions, stop: () => socket.close() }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** In full, without `::`. */
function ipv6(address: string) {
  const groups = address.split(':').map((group) => Number.parseInt(group, 16))
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}
