import '@mantine/core/styles/Input.layer.css'
import { Input } from '@mantine/core'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { formatBytes } from '../display/format.ts'
import { Icon } from '../display/icon.tsx'
import classes from './file-field.module.css'

type FileFieldProps = {
  label: string
  /** The accepted extensions, `.csv,.xlsx`. Any file can be dropped, so check it. */
  accept: string
  file: File | null
  onChange: (file: File | null) => void
  disabled?: boolean
  required?: boolean
  error?: ReactNode
  description?: ReactNode
  /** From `getInputProps`, so that a form can find the field. */
  'data-path'?: string
}

/** One file, chosen or dropped. The native input covers the whole field, so keyboards and screen readers can use it. */
export function FileField({ label, accept, file, onChange, error, description, ...props }: FileFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  useIgnoreDropsOutside()

  // Clears the native input when the field is cleared.
  useEffect(() => {
    if (file === null && input.current) input.current.value = ''
  }, [file])

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const [dropped] = event.dataTransfer.files
    if (!dropped) return
    const one = new DataTransfer()
    one.items.add(dropped)
    if (input.current) input.current.files = one.files
    onChange(dropped)
  }

  const describedBy = [description && `${id}-description`, file && `${id}-file`, error && `${id}-error`]
  return (
    <Input.Wrapper
      id={id}
      label={label}
      required={props.required}
      description={description}
      error={error}
      descriptionProps={{ id: `${id}-description` }}
      errorProps={{ id: `${id}-error` }}
    >
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        data-error={Boolean(error) || undefined}
        data-disabled={props.disabled || undefined}
      >
        <input
          ref={input}
          id={id}
          className={classes.input}
          type="file"
          accept={accept}
          disabled={props.disabled}
          required={props.required}
          data-path={props['data-path']}
          aria-invalid={Boolean(error) || undefined}
          aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
          onDragEnter={() => setIsOver(true)}
          onDragLeave={() => setIsOver(false)}
          onDrop={drop}
          // Otherwise `change` would not fire when the same, edited file is chosen again.
          onClick={(event) => {
            event.currentTarget.value = ''
          }}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            if (chosen) onChange(chosen)
          }}
        />
        <Icon name={file ? 'file' : 'upload'} size={22} />
        {file ? (
          <span id={`${id}-file`} className={classes.words}>
            <span className={classes.name}>{file.name}</span>
            <span className={classes.soft}>{formatBytes(file.size)}</span>
          </span>
        ) : (
          <span className={classes.words} aria-hidden="true">
            <span>
              <span className={classes.choose}>Choose a file</span> or drop it here
            </span>
            <span className={classes.soft}>{accept.split(',').join(', ')}</span>
          </span>
        )}
        {file && (
          <button
            type="button"
            className={classes.clear}
            disabled={props.disabled}
            aria-label={`Remove ${file.name}`}
            title="Remove"
            onClick={() => {
              onChange(null)
              input.current?.focus()
            }}
          >
            <Icon name="close" size={16} />
          </button>
        )}
      </div>
    </Input.Wrapper>
  )
}

/** A browser opens a file that is dropped outside the field in place of the page. */
function useIgnoreDropsOutside() {
  useEffect(() => {
    const ignore = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', ignore)
    window.addEventListener('drop', ignore)
    return () => {
      window.removeEventListener('dragover', ignore)
      window.removeEventListener('drop', ignore)
    }
  }, [])
}
