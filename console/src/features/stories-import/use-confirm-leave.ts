import { confirm } from '../../ui/dialog/confirm.tsx'
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts'

const QUESTIONS = {
  uploading: {
    title: 'Stop the upload?',
    text: 'The file is still uploading. If you leave now, nothing is imported.',
    action: 'Stop and leave',
    cancel: 'Stay',
  },
  working: {
    title: 'Leave before the import is done?',
    text: 'The import continues on the server, but you will not see its result.',
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
