import { ExecutionDate, Vectorization, vectorizationStatus } from '@watchdesk/contract/narratives-vectorization'

/** What a date must look like is the server's to say: other backends write theirs in their own way. */
const StatusQuestion = vectorizationStatus.schema.params.extend({ execution_date: ExecutionDate.in })

/** Loaded with their library when someone turns to a form, not before. */
export const schemas = { Vectorization, StatusQuestion }
