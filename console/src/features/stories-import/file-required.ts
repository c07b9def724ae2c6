import type { Schema } from '../../ui/form/field-errors.ts'

/** The contract's check of the form, written out: one field does not need the library that its schemas do. */
export const fileRequired: Schema<{ file: File }> = {
  '~standard': {
    validate: (given) => {
      const { file } = given as { file: File | null }
      return file ? { value: { file } } : { issues: [{ message: 'File is required', path: ['file'] }] }
    },
  },
}
