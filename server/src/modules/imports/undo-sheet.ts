import { conflict } from '../../problem.ts'
import { previewSheetUndo, undoSheet } from '../sheets/undo.ts'
import { NO_EFFECTS, type UndoKind } from './undo-kind.ts'

/** Puts back the rows that a sheet had before they were replaced. */
export const sheetUndo: UndoKind = {
  entity: 'sheet',
  async preview(db, _actor, { target }) {
    const { sheet_rows_put_back, ...preview } = await previewSheetUndo(db, target)
    return { ...preview, effects: { ...NO_EFFECTS, sheet_rows_put_back } }
  },
  async undo(trx, actor, { target }, import_id, changed) {
    const { sheet_rows_put_back, isDone, sheet } = await undoSheet(trx, actor, target, import_id, changed)
    if (!isDone) throw conflict('The rows of the sheet were replaced again since, so nothing was undone.')
    return { ...NO_EFFECTS, sheet_rows_put_back, left: 0, sheet }
  },
}
