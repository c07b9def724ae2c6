/** Long enough for a browser to ask for a location. */
const REVOKE_DELAY_MS = 60_000

/** Starts a download of the file. */
export function saveFile(file: Blob, name: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS)
}
