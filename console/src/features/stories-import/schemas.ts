import { StoriesImport } from '@watchdesk/contract/stories-import'

/** Loaded with its library when someone turns to the form, not before. */
export const schemas = { StoriesImport }
