import { confirm } from '../../ui/dialog/confirm.tsx'
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts'

const QUESTIONS = {
  text: {
    title: 'Discard the list?',
    text: 'Nobody on it has been added yet.',
    action: 'Discard',
    cancel: 'Keep editing',
  },
  running: {
    title: 'Leave while users are being added?',
    text: 'Those that are added already stay, but you will not see their passwords.',
    action: 'Leave',
    cancel: 'Stay',
  },
  passwords: {
    title: 'Leave without the passwords?',
    text: 'They are shown on this page only. Download the result to keep them.',
    action: 'Leave',
    cancel: 'Stay',
  },
}

/** Asks before something on the page is lost. */
export function useConfirmLeave(what: keyof typeof QUESTIONS | false) {
  useLeaveGuard(
    () => what !== false,
    async () => what === false || confirm(QUESTIONS[what]),
  )
}
