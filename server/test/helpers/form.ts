/** A form with a file, as sent by a browser. */
export function formOf(name: string, content: string | Buffer, fields: Record<string, string> = {}) {
  const form = new FormData()
  form.set('file', new File([content], name))
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  return form
}

export const BOUNDARY = 'watchdesk-test-boundary'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

type Part = { name: string; filename?: string; content: string | Buffer }

/** The bytes of a form with unescaped parts. */
export function multipart(parts: Part[]) {
  const bytes = parts.flatMap(({ name, filename, content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...bytes, Buffer.from(`--${BOUNDARY}--\r\n`)])
}
