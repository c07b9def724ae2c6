import type { NewAuthenticator } from '@watchdesk/contract/auth/session'
import classes from './steps.module.css'

/** The margin that readers need, in squares. */
const QUIET = 4

type QrCodeProps = NewAuthenticator['qr_code'] & { label: string }

/** Always dark on white: many apps cannot read the inverse. */
export function QrCode({ size, path, label }: QrCodeProps) {
  const whole = size + 2 * QUIET
  return (
    <svg
      className={classes.qrCode}
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={whole} height={whole} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}
