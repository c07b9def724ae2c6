/** What differs from the file in a row. Undefined text is that of the file. */
export type Edit = { url?: string | undefined; country?: string | undefined; isSkipped?: boolean }

type Step = { index: number; before: Edit | undefined; after: Edit | undefined }[]

/** The edits by row index, with undo and redo. The rows themselves stay as they were read. */
export function createEdits() {
  const edits = new Map<number, Edit>()
  const done: Step[] = []
  const undone: Step[] = []

  function put(step: Step, side: 'before' | 'after') {
    for (const one of step) {
      const edit = one[side]
      if (edit) edits.set(one.index, edit)
      else edits.delete(one.index)
    }
    return step.map(({ index }) => index)
  }

  function move(from: Step[], to: Step[], side: 'before' | 'after') {
    const step = from.pop()
    if (!step) return []
    to.push(step)
    return put(step, side)
  }

  return {
    get: (index: number) => edits.get(index),
    count: () => edits.size,
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    /** Makes the changes one step of the history, and returns the indexes of the rows that changed. */
    change(wanted: ReadonlyMap<number, Edit>) {
      const step: Step = []
      for (const [index, edit] of wanted) {
        const before = edits.get(index)
        if (!isSame(before, edit)) step.push({ index, before, after: isSame(undefined, edit) ? undefined : edit })
      }
      if (step.length === 0) return []
      done.push(step)
      undone.length = 0
      return put(step, 'after')
    },
    undo: () => move(done, undone, 'before'),
    redo: () => move(undone, done, 'after'),
  }
}

export type Edits = ReturnType<typeof createEdits>

function isSame(a: Edit | undefined, b: Edit | undefined) {
  return a?.url === b?.url && a?.country === b?.country && Boolean(a?.isSkipped) === Boolean(b?.isSkipped)
}
