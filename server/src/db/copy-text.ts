const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Escapes a value for COPY's text format. */
export function copyText(value: string) {
  return value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '')
}
