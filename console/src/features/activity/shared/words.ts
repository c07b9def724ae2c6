import { diffArrays } from 'diff'

/** A piece of a text or an entry of a list, and whether only this side has it. */
export type Piece = { text: string; isChanged: boolean }

export type Compared = { before: Piece[]; after: Piece[] }

/** Texts that differ this much are not compared any further: reading two marked texts would not help. */
const MOST_EDITS = 500

/** Cuts texts into words of any alphabet, spaces and punctuation. */
const TOKENS = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu

/** Compares two texts word by word. */
export function compareTexts(before: string, after: string): Compared {
  const changes = diffArrays(before.match(TOKENS) ?? [], after.match(TOKENS) ?? [], { maxEditLength: MOST_EDITS })
  if (changes === undefined) return everything(before, after)
  const pieces = changes.map(({ value, added, removed }) => ({ text: value.join(''), added, removed }))
  return {
    before: merge(pieces.filter(({ added }) => !added).map(({ text, removed }) => ({ text, isChanged: removed }))),
    after: merge(pieces.filter(({ removed }) => !removed).map(({ text, added }) => ({ text, isChanged: added }))),
  }
}

function everything(before: string, after: string): Compared {
  return { before: [{ text: before, isChanged: true }], after: [{ text: after, isChanged: true }] }
}

/** A space between two changed words belongs to the change, so that it is read as one. */
function merge(pieces: Piece[]): Piece[] {
  const merged: Piece[] = []
  for (const [index, piece] of pieces.entries()) {
    const isBetween = /^\s+$/.test(piece.text) && pieces[index - 1]?.isChanged && pieces[index + 1]?.isChanged
    const isChanged = piece.isChanged || isBetween === true
    const last = merged.at(-1)
    if (last && last.isChanged === isChanged) last.text += piece.text
    else if (piece.text !== '') merged.push({ text: piece.text, isChanged })
  }
  return merged
}

/** Compares two lists. Entries that only moved are not changed. */
export function compareLists(before: string[], after: string[]): Compared {
  const mark = (list: string[], other: string[]) => {
    const known = new Set(other)
    return list.map((text) => ({ text, isChanged: !known.has(text) }))
  }
  return { before: mark(before, after), after: mark(after, before) }
}
