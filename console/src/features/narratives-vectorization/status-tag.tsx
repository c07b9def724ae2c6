import { Tag, type Tone } from '../../ui/display/tag.tsx'

const TONES: Record<string, Tone> = { queued: 'plain', running: 'amber', success: 'teal', failed: 'red' }

/** Statuses that only other backends know are shown without a color. */
export function StatusTag({ status }: { status: string }) {
  return <Tag tone={TONES[status] ?? 'plain'}>{status}</Tag>
}
