import { LANGUAGE_LABELS } from '../values.ts'

/** The options of the language of a user. */
export const LANGUAGES = Object.entries(LANGUAGE_LABELS).map(([value, label]) => ({ value, label }))
