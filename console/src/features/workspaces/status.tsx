import type { WorkspaceStatus } from '@watchdesk/contract/enums'
import { Tag } from '../../ui/display/tag.tsx'

export function Status({ status }: { status: WorkspaceStatus | null | undefined }) {
  if (!status) return '–'
  const tone = status === 'TRIAL' ? 'amber' : status.startsWith('PAID_') ? 'teal' : 'plain'
  return <Tag tone={tone}>{status}</Tag>
}
