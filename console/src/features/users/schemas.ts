import { UserCreate, UserUpdate } from '@watchdesk/contract/users'

/** Loaded with their library when a form opens, not before. */
export const schemas = { UserCreate, UserUpdate }
