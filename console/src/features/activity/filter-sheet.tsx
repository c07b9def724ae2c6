import { FilterSheet as Sheet } from '../../ui/list/filter-sheet.tsx'
import { FilterFields } from './filters.tsx'

/** Loaded when it is first opened. */
export function FilterSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Sheet isOpen={isOpen} onClose={onClose} done="Show events">
      <FilterFields />
    </Sheet>
  )
}
