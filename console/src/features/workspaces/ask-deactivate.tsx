import { confirm } from '../../ui/dialog/confirm.tsx'
import { DEACTIVATED_TEXT } from './labels.ts'
import { Impact } from './shared/impact.tsx'

/** Asks before a workspace is deactivated, and shows what that affects. */
export function askDeactivate({ id, name }: { id: number; name: string }) {
  return confirm({
    title: 'Deactivate this workspace?',
    text: `You are about to deactivate ${name}. ${DEACTIVATED_TEXT}`,
    details: <Impact id={id} />,
    action: 'Deactivate',
  })
}
