import { connect, type Socket } from 'node:net'

export type RawResponse = { status: number; headers: Map<string, string>; body: string }

export type RawRequest = { method: string; address: string; headers: string[]; body: Buffer | string }

/** The bytes of a request with unmodified header lines. */
export function rawRequest({ method, address, headers, body }: RawRequest) {
  const bytes = Buffer.from(body)
  const lines = [`${method} ${address} HTTP/1.1`, 'Host: watchdesk', 'Connection: close', ...headers]
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\nContent-Length: ${bytes.length}\r\n\r\n`, 'latin1'),
    bytes,
  ])
}

/** Sends raw bytes, and reads the response until the server closes the connection. */
export async function sendRaw(port: number, bytes: Buffer | string, { hangUp = false } = {}): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  if (hangUp) socket.end()
  return readResponse(socket)
}

/** Sends the head of a request and half of its body, and the rest on demand. */
export function sendHalf(port: number, bytes: Buffer) {
  const socket = connect(port, '127.0.0.1')
  const body = bytes.indexOf('\r\n\r\n') + 4
  const half = body + Math.floor((bytes.length - body) / 2)
  socket.write(bytes.subarray(0, half))
  const response = readResponse(socket)
  return {
    sendRest() {
      socket.write(bytes.subarray(half))
      return response
    },
  }
}

async function readResponse(socket: Socket): Promise<RawResponse> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of socket) chunks.push(chunk as Buffer)
  } catch (error) {
    // A server that responds early and closes the connection may reset data in transit.
    if (chunks.length === 0) throw error
  }
  const text = Buffer.concat(chunks).toString()
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers as [string, string][]),
    body: rest.join('\r\n\r\n'),
  }
}
