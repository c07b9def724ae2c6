import { confirm } from '../../ui/dialog/confirm.tsx'
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts'

const QUESTIONS = {
  uploading: {
    title: 'Stop the upload?',
    text: 'The file is still on its way. If you leave now, nothing of it is stored.',
    action: 'Stop and leave',
    cancel: 'Stay',
  },
  working: {
    title: 'Leave before the import is done?',
    text: 'The server goes on with the import, but you would not see what came of it.',
    action: 'Leave',
    cancel: 'Stay',
  },
}

/** Asks before the page is left during an import. */
export function useConfirmLeave(phase: keyof typeof QUESTIONS | undefined) {
  useLeaveGuard(
    () => phase !== undefined,
    async () => phase === undefined || confirm(QUESTIONS[phase]),
  )
}
