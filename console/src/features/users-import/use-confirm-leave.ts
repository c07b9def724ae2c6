import { confirm, type Question } from '../../ui/dialog/confirm.tsx'
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts'

/** Asks before something on the page is lost. */
export function useConfirmLeave(question: Question | false) {
  useLeaveGuard(
    () => question !== false,
    async () => question === false || confirm(question),
  )
}
