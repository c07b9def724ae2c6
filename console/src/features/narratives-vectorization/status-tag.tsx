import { Tag, type Tone } from '../../ui/display/tag.tsx'

const TONES: Record<string, Tone> = { queued: 'plain', running: 'amber', success: 'teal', failed: 'red' }

/** Of any backend: one that has words of its own gets them shown plainly. */
export function StatusTag({ status }: { status: string }) {
  return <Tag tone={TONES[status] ?? 'plain'}>{status}</Tag>
}
