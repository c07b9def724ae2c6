/** Whether the page shows the history of its record, so that Back closes it and a link can open it. */
export function historySearch({ history }: Record<string, unknown>): { history?: true } {
  return { history: history === true || undefined }
}
