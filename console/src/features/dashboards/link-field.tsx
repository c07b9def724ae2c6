import { TextInput, type TextInputProps } from '@mantine/core'
import { type ClipboardEvent, useState } from 'react'
import { useCanChange } from '../../ui/page/can-change.tsx'
import classes from './form.module.css'
import { frameAddress } from './frame-address.ts'

type LinkFieldProps = Omit<TextInputProps, 'onChange' | 'onBlur' | 'value'> & {
  // The form's own props.
  value?: string
  onChange: (value: string) => void
  onBlur?: (event: unknown) => void
}

/** The embed link. From a whole `<iframe>` it takes the address. */
export function LinkField({ value = '', onChange, onBlur, ...props }: LinkFieldProps) {
  const [taken, setTaken] = useState<string>()

  function take(address: string) {
    setTaken(address)
    onChange(address)
  }

  /** Before the browser removes line breaks, without which attributes may run together. */
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const address = frameAddress(event.clipboardData.getData('text/plain'))
    if (address === undefined) return
    event.preventDefault()
    take(address)
  }

  return (
    <div>
      <TextInput
        {...props}
        required
        description={useCanChange() && 'You can also paste the whole embed code (<iframe …>).'}
        type="url"
        placeholder="https://"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onPaste={paste}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={(event) => {
          const address = frameAddress(value)
          if (address !== undefined) take(address)
          onBlur?.(event)
        }}
      />
      <p className={classes.note} role="status">
        {taken !== undefined && taken === value && 'The address was taken from the embed code.'}
      </p>
    </div>
  )
}
