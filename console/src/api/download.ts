import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import { type CallArguments, callForFile, type Fetch } from './call.ts'

/** Calls an endpoint that returns a file, and reports the bytes received. */
export async function download<S extends EndpointSchema>(
  endpoint: Endpoint<S>,
  input: NonNullable<CallArguments<S>[0]>,
  onProgress: (bytes: number) => void,
): Promise<{ file: Blob; name: string | undefined }> {
  const given = [{ ...input, fetch: countBytes(onProgress) }] as unknown as CallArguments<S>
  const { file, headers } = await callForFile(endpoint, ...given)
  return { file, name: parseFileName(headers.get('content-disposition') ?? '') }
}

function countBytes(onProgress: (bytes: number) => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!response.ok || response.body === null) return response
    let bytes = 0
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        onProgress(bytes)
        controller.enqueue(chunk)
      },
    })
    return new Response(response.body.pipeThrough(counter as ReadableWritablePair<BufferSource, Uint8Array>), response)
  }
}

/** The file name in a `Content-Disposition` header; the encoded form, which supports any character, has precedence. */
function parseFileName(disposition: string): string | undefined {
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, '$1')
  const name = (encoded && decode(encoded)) ?? quoted ?? /filename\s*=\s*([^;"\s]+)/i.exec(disposition)?.[1]
  return name || undefined
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
