const LINE_FEED = 10

export type Reports = {
  /** The number of rows so far. */
  onRows(rows: number): void
  /** All pieces were taken. */
  onEnd(): void
}

/** Passes on pieces with lines for COPY, and counts their rows. */
export async function* countRows<Piece extends object>(
  pieces: AsyncIterable<Piece>,
  { onRows, onEnd }: Reports,
): AsyncGenerator<Piece> {
  let rows = 0
  for await (const piece of pieces) {
    const lines: unknown = Reflect.get(piece, 'lines')
    // Before the piece is passed on, because its memory may be gone afterwards.
    if (lines instanceof Uint8Array) rows += linesIn(lines)
    yield piece
    onRows(rows)
  }
  onEnd()
}

/** A line feed in a value is escaped, so each one ends a row. */
function linesIn(lines: Uint8Array) {
  let count = 0
  for (let at = lines.indexOf(LINE_FEED); at !== -1; at = lines.indexOf(LINE_FEED, at + 1)) count += 1
  return count
}
