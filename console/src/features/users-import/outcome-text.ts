/** The people may be pasted, without any file. */
export function outcomeText(outcome: string) {
  return outcome === 'repeated in the file' ? 'repeated in the list' : outcome
}
