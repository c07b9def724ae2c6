import { confirm, type Question } from '../dialog/confirm.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

/** Asks before something on the page is lost. */
export function useConfirmLeave(question: Question | false) {
  useLeaveGuard(
    () => question !== false,
    async () => question === false || confirm(question),
  )
}
