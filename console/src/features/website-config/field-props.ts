import type { ReactNode } from 'react'

export type FieldProps = {
  label: string
  description: ReactNode
  value: string
  onChange: (value: string) => void
  error: ReactNode
  'data-path': string
}
